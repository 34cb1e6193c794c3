import { describe, expect, it } from 'vitest';
import * as preprocessing from '../../src/preprocessing/index.js';
import type { Transformer } from '../../src/preprocessing/transformer.js';
import { untypedAnswers } from '../helpers/hostileJSON.js';
import { thrown } from '../helpers/thrown.js';

const { transformerFromJSON, StandardScaler, SMOTE, PCA, Pipeline, FunctionTransformer } = preprocessing;
const rows = Array.from({ length: 6 }, (_, row) => [row, (row * 3) % 7]);
const records = rows.map(([age, b], row) => ({ age: row === 2 ? null : age, sex: 'fm'[b % 2] }));
const y = rows.map((_, row) => row % 2);
const STEPS: Readonly<Record<string, [() => Transformer, unknown[]]>> = {
  StandardScaler: [() => new StandardScaler(), rows],
  MinMaxScaler: [() => new preprocessing.MinMaxScaler(), rows],
  RobustScaler: [() => new preprocessing.RobustScaler(), rows],
  SimpleImputer: [() => new preprocessing.SimpleImputer({ strategy: 'mostFrequent', addIndicator: true }), records],
  OneHotEncoder: [() => new preprocessing.OneHotEncoder({ minFrequency: 2, drop: 'first' }), records],
  OrdinalEncoder: [() => new preprocessing.OrdinalEncoder(), records],
  PCA: [() => new PCA({ nComponents: 1 }), rows],
  SelectKBest: [() => new preprocessing.SelectKBest({ k: 1 }), rows],
  VarianceThreshold: [() => new preprocessing.VarianceThreshold(), rows],
  Pipeline: [() => new Pipeline([new StandardScaler(), new PCA({ nComponents: 1 })]), rows],
  ColumnTransformer: [() => new preprocessing.ColumnTransformer([['num', new StandardScaler(), /^x/]]), rows],
  tabular: [() => preprocessing.tabular(), records],
};

describe('transformerFromJSON', () => {
  it('knows every class that can be written', () => {
    const classes = Object.entries(preprocessing).filter(([name]) => /^[A-Z]/.test(name));
    const made = classes.flatMap(([name, Class]) => {
      if (name === 'FunctionTransformer') return [];
      const args: Record<string, unknown[]> = {
        Pipeline: [[new StandardScaler()]],
        ColumnTransformer: [[['a', 'drop', 0]]],
        Resize: [{ size: [4, 4], interpolation: 'area' }],
        CenterCrop: [{ size: 4 }],
        Pad: [{ size: 4, fill: -1024 }],
      };
      return [new (Class as new (...args: unknown[]) => { toJSON(): unknown; name: string })(...(args[name] ?? []))];
    });
    expect(made.length).toBeGreaterThan(12);
    for (const each of made) {
      expect(JSON.stringify(transformerFromJSON(JSON.parse(JSON.stringify(each))))).toBe(JSON.stringify(each));
    }
    expect(transformerFromJSON(new SMOTE({ kNeighbors: 3 }).toJSON())).toBeInstanceOf(SMOTE);
  });

  it.each(Object.entries(STEPS))('answers hostile JSON of %s with one sentence', async (_, [make, X]) => {
    const step = make();
    await step.fit(X as never, y);
    const json = JSON.parse(JSON.stringify(step));
    const again = (each: unknown) => transformerFromJSON(each) as Transformer;
    expect(await again(json).transform(X as never)).toEqual(await step.transform(X as never));
    expect(await untypedAnswers(json, (each) => again(each).transform(X as never), 50)).toEqual([]);
  });

  it('refuses what no fit gives: a spread that is not above 0, an end below the other, a chance above 1', async () => {
    for (const [name, field, value] of [
      ['StandardScaler', 'scale', -2],
      ['StandardScaler', 'scale', 0],
      ['StandardScaler', 'variance', -4],
      ['RobustScaler', 'scale', -1],
      ['RobustScaler', 'scale', 0],
      ['MinMaxScaler', 'dataMax', -1e3],
      ['VarianceThreshold', 'variances', -1],
      ['SelectKBest', 'pvalues', 1.5],
    ] as const) {
      const step = STEPS[name][0]();
      await step.fit(rows as never, y);
      const json = JSON.stringify(step);
      const damaged = json.replace(new RegExp(`("${field}",\\{"float64":\\[)[^,\\]]+`), `$1${value}`);
      expect(damaged).not.toBe(json);
      expect(await thrown(() => transformerFromJSON(JSON.parse(json)))).toBe('nothing thrown');
      expect(await thrown(() => transformerFromJSON(JSON.parse(damaged)))).toContain('(other_json)');
    }
  });

  it('runs a module that JSON names where the caller allows it alone', async () => {
    const module = new URL('../node/models/steps.mjs', import.meta.url);
    for (const step of [new FunctionTransformer({ module }), new Pipeline([new FunctionTransformer({ module })])]) {
      const json = JSON.parse(JSON.stringify(step));
      expect(await thrown(() => transformerFromJSON(json))).toContain('(module_refused)');
      expect(JSON.stringify(transformerFromJSON(json, { modules: 'allow' }))).toBe(JSON.stringify(step));
    }
    const alone = new FunctionTransformer({ module }).toJSON();
    expect(await thrown(() => FunctionTransformer.fromJSON(alone))).toContain('(module_refused)');
  });
});
