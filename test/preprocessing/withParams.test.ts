/** Options of steps by the names of scikit-learn's `set_params`. Expected rows: test/reference/setParams.py. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as preprocessing from '../../src/preprocessing/index.js';
import type { Transformer } from '../../src/preprocessing/transformer.js';
import { matrix } from '../helpers/matrix.js';
import { thrown } from '../helpers/thrown.js';
import { expectCells } from '../helpers/transformerCases.js';
import data from '../reference/preprocessing.json' with { type: 'json' };
import reference from '../reference/setParams.json' with { type: 'json' };

const { ColumnTransformer, FunctionTransformer, PCA, Pipeline, SimpleImputer, SMOTE, StandardScaler } = preprocessing;
const { tabular, transformerFromJSON } = preprocessing;

const make: Readonly<Record<string, () => preprocessing.Pipeline>> = {
  scaler: () => new Pipeline([new StandardScaler()]),
  columns: () =>
    new Pipeline([
      new ColumnTransformer([
        ['num', new Pipeline([new SimpleImputer(), new StandardScaler()]), [0, 1, 3]],
        ['rest', new SimpleImputer(), [2]],
      ]),
    ]),
  pca: () => new Pipeline([new StandardScaler(), new PCA({ nComponents: 4 })]),
  nested() {
    const scale = ['scale', new StandardScaler()] as const;
    return new Pipeline([['outer', new Pipeline([scale, ['reduce', new PCA({ nComponents: 3 })]])]]);
  },
};
const camel = (name: string) => name.replace(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describe('like set_params of scikit-learn', () => {
  it.each(reference.cases)(
    '$name: the same rows, with names in either spelling',
    async ({ name, params, ...expected }) => {
      const before = make[name]();
      const text = JSON.stringify(before);
      const rows = (data as never as Record<string, unknown[][]>)[expected.data];
      const train = data.splits.train.map((row) => rows[row]);
      const ours = Object.fromEntries(Object.entries(params).map(([each, value]) => [camel(each), value]));
      expect(Object.keys(ours).join()).not.toContain('_m');
      for (const given of [params, ours]) {
        const after = before.withParams(given);
        await after.fit(train);
        expectCells(await after.transform(rows), expected.rows);
      }
      // The one that they were made from is as it was.
      expect(JSON.stringify(before)).toBe(text);
      await before.fit(train);
      expect(await before.transform(rows)).not.toEqual(expected.rows);
    },
  );

  it.each(reference.cases)('$name: names of options that both have', ({ name, names }) => {
    const taken = names.filter((each) => {
      try {
        make[name]().withParams({ [each]: undefined });
        return true;
      } catch (error) {
        expect((error as { code: string }).code).toMatch(/^unknown_(option|step)$/);
        return false;
      }
    });
    // What is left are whole steps, and options that no step of cvkit has.
    const others =
      /__(copy|memory|steps|verbose|transform_input|n_jobs|missing_values|sparse_threshold|transformer_weights|transformers|iterated_power|n_oversamples|power_iteration_normalizer|random_state|svd_solver|tol|num|rest|simpleimputer|standardscaler|scale|reduce)$/;
    expect(taken).toEqual(names.filter((each) => !others.test(each)));
    expect(taken.length).toBeGreaterThan(1);
  });
});

describe('withParams', () => {
  it('is had by every step, and changes nothing where nothing is given', () => {
    const steps = Object.entries(preprocessing).filter(([name]) => /^[A-Z]/.test(name));
    for (const [name, Class] of steps) {
      const args: Record<string, unknown[]> = {
        Pipeline: [[new StandardScaler()]],
        ColumnTransformer: [[['a', new StandardScaler(), 0]]],
        FunctionTransformer: [{ module: 'file:///log.js' }],
        Resize: [{ size: 8 }],
        CenterCrop: [{ size: 8 }],
        Pad: [{ size: 8 }],
      };
      const step = new (Class as new (...given: unknown[]) => Transformer)(...(args[name] ?? []));
      const same = step.withParams({});
      expect(same.constructor, name).toBe(Class);
      expect(same, name).not.toBe(step);
      expect(JSON.stringify(same), name).toBe(JSON.stringify(step));
    }
    expect(steps.length).toBeGreaterThan(14);
  });

  it('is not fitted, shares no step, and may be asked again', async () => {
    const steps = new Pipeline([['scale', new StandardScaler()], new PCA({ nComponents: 1 })]);
    const fitted = await steps.fit(matrix('1 2 | 3 5'));
    const other = fitted.withParams({ pca__nComponents: 2 });
    expect(other.steps[0][1]).not.toBe(fitted.steps[0][1]);
    expect(await thrown(() => other.transform([[1, 2]]))).toContain('not_fitted');
    expect((await fitted.transform([[1, 2]]))[0]).toHaveLength(1);
    const again = other.withParams({ scale__withStd: false, scale__with_mean: false });
    expect(again.describe()).toBe('StandardScaler({ withMean: false, withStd: false }), PCA({ nComponents: 2 })');
    expect(again.withParams({ scale__withStd: null }).describe()).toContain('StandardScaler({ withMean: false })');
  });

  it('makes the step that its constructor makes of the same options, whatever was changed before', () => {
    const filling = fc.record(
      { strategy: fc.constantFrom('mean', 'median'), addIndicator: fc.boolean() },
      { requiredKeys: [] },
    );
    const scaling = fc.record({ withMean: fc.boolean(), withStd: fc.boolean() }, { requiredKeys: [] });
    const both = fc.record({ fill: filling, scale: scaling });
    const made = ({ fill, scale }: { fill: object; scale: object }) =>
      new Pipeline([
        ['fill', new SimpleImputer(fill)],
        ['columns', new ColumnTransformer([['scale', new StandardScaler(scale), [0]]])],
      ]);
    const named = ({ fill, scale }: { fill: object; scale: object }) =>
      Object.fromEntries([
        ...Object.entries(fill).map(([name, value]) => [`fill__${name}`, value]),
        ...Object.entries(scale).map(([name, value]) => [`columns__scale__${name}`, value]),
      ]);
    fc.assert(
      fc.property(both, both, (first, then) => {
        const last = { fill: { ...first.fill, ...then.fill }, scale: { ...first.scale, ...then.scale } };
        const expected = JSON.stringify(made(last));
        expect(JSON.stringify(made(first).withParams(named(then)))).toBe(expected);
        expect(JSON.stringify(made({ fill: {}, scale: {} }).withParams(named(first)).withParams(named(then)))).toBe(
          expected,
        );
      }),
    );
  });

  it('reaches steps that resample, functions of modules, and those of tabular()', async () => {
    expect(new SMOTE().withParams({ kNeighbors: 3 }).getParams().kNeighbors).toBe(3);
    const balanced = new Pipeline([new StandardScaler(), new SMOTE({ randomState: 1 })]).withParams({
      smote__k_neighbors: 2,
    });
    expect((balanced.namedSteps.smote as preprocessing.SMOTE).getParams()).toMatchObject({
      kNeighbors: 2,
      randomState: 1,
    });
    const module = new FunctionTransformer({ module: 'file:///log.js', kwArgs: { base: 2 } }, { name: 'log' });
    const { func, name } = module.withParams({ kwArgs: { base: 10 } }).getParams();
    expect([func, name]).toEqual([{ module: 'file:///log.js', kwArgs: { base: 10 } }, 'log']);
    expect(new FunctionTransformer((X) => X).withParams({ makesMissing: true }).makesMissing).toBe(true);

    const table = tabular({ maxLevels: 9 }).withParams({ maxLevels: 8, numeric__simpleimputer__strategy: 'mean' });
    expect(table.describe()).toBe(
      "tabular({ maxLevels: 8 }) of numeric: SimpleImputer({ addIndicator: true }), StandardScaler; categorical: OneHotEncoder({ handleUnknown: 'ignore' })",
    );
    const copies = [table.clone(), transformerFromJSON(JSON.parse(JSON.stringify(table))) as typeof table];
    const rows = [[1], [null], [5], [30]];
    const made = await table.fitTransform(rows);
    expect(made[1][0]).toBeCloseTo(0, 12);
    for (const copy of copies) expect(await copy.fitTransform(rows)).toEqual(made);
    const read = transformerFromJSON(JSON.parse(JSON.stringify(table))) as typeof table;
    expect(await read.transform(rows)).toEqual(made);
    expect(read.describe()).toBe(table.describe());
    expect(await read.withParams({}).fitTransform({ a: ['a', 'b'], b: [1, 2] })).toHaveLength(2);
  });

  it('takes the longest of the names that a parameter begins with', () => {
    const steps = new Pipeline([
      ['a', new StandardScaler()],
      ['a__b', new PCA()],
    ]);
    const { a, a__b } = steps.withParams({ a__b__whiten: true, a__withStd: false }).namedSteps;
    expect([a, a__b].map((step) => (step as Transformer).describe())).toEqual([
      'StandardScaler({ withStd: false })',
      'PCA({ whiten: true })',
    ]);
  });

  it('gives options to a copy of a step of the caller', () => {
    class Own {
      constructor(public params: Record<string, unknown> = { k: 1 }) {}
      fit(): void {
        // learns nothing
      }
      transform = (X: unknown[]) => X;
      clone = () => new Own({ ...this.params });
      setParams(params: object) {
        Object.assign(this.params, params);
        return this;
      }
    }
    const own = new Own();
    const changed = new Pipeline([['own', own]]).withParams({ own__k: 2 });
    expect((changed.namedSteps.own as Own).params).toEqual({ k: 2 });
    expect(own.params).toEqual({ k: 1 });
  });
});
