import { describe, expect, it } from 'vitest';
import { rocAuc } from '../../../src/metrics/definitions/ranking.js';
import { rmse } from '../../../src/metrics/definitions/regression.js';
import { compareModels } from '../../../src/stats/compareModels.js';
import { ModelTable, type ModelTableComparison } from '../../../src/stats/comparison/modelTable.js';

import { HOSTILE, unsafeLines } from '../../helpers/hostile.js';
import reference from '../../reference/comparison.json' with { type: 'json' };
import { givenResults } from '../given.js';

const { y, fold, a, b, patients } = reference.clustered;
const c = a.map((each, at) => (each + 2 * b[at]) / 3);
const runs = async () => {
  const given = await Promise.all([a, b, c].map((p) => givenResults({ p, y, fold, groups: patients })));
  // Times differ from machine to machine.
  for (const { metadata } of given) Object.assign(metadata, { seconds: 1.5 });
  return { first: given[0], second: given[1], mixed: given[2] };
};

const comparison: ModelTableComparison = {
  a: 'x',
  b: 'y',
  difference: 0.1,
  standardError: 0.1,
  df: 4,
  pValue: 0.3,
  pAdjusted: 0.6,
  lower: -0.2,
  upper: 0.4,
  signFlip: null,
};
const row = {
  model: 'x',
  preparation: null,
  interval: null,
  scores: [],
  foldMean: null,
  foldSd: null,
  nFolds: 0,
  nFailed: 0,
  seconds: 0,
};
const empty = {
  metric: rmse,
  level: 0.9,
  design: 'KFold({ nSplits: 5 })',
  foldFingerprint: 'abc',
  unit: 'row',
  nUnits: 50,
  reference: null,
  rows: [
    { ...row, name: 'x', reason: 'no licence' },
    { ...row, name: 'y', reason: 'no licence' },
  ],
  comparisons: [],
  best: null,
  notes: ['A note.'],
  randomState: 42,
};

describe('ModelTable', () => {
  it('and like this where there is nothing', () => {
    expect(new ModelTable(empty).summary()).toMatch(/ x( +—){5} +0\.0 s +—\n/);
  });

  it('puts the best row first, whichever way is better', async () => {
    const order = async (metric: 'roc_auc' | 'brier') => {
      const table = await compareModels({ results: await runs(), metric });
      const loss = metric === 'brier' ? 1 : -1;
      const byValue = [...table.rows].sort(
        (x, z) => loss * ((x.interval?.estimate ?? 0) - (z.interval?.estimate ?? 0)),
      );
      const lines = table.summary().split('\n').slice(3, 6);
      expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(byValue.map(({ name }) => name));
    };
    await order('roc_auc');
    await order('brier');
  });

  it('shows the smallest p-values of very many differences', () => {
    const comparisons = Array.from({ length: 45 }, (_, at) => ({ ...comparison, a: `m${at}`, pValue: (45 - at) / 50 }));
    const text = new ModelTable({ ...empty, metric: rocAuc, comparisons }).summary();
    expect(text).toContain('The 28 with the smallest p-values of 45');
    expect(text).toContain('m44 ');
    expect(text).not.toContain('m10 ');
  });

  it('is plain JSON, and keeps neither rows of data nor models', async () => {
    const table = await compareModels({ results: await runs() });
    const json = JSON.parse(JSON.stringify(table));
    expect(json).toMatchObject({ metric: 'roc_auc', direction: 'maximize', unit: 'patient', nUnits: 36 });
    expect(Object.keys(json)).toEqual(Object.keys(table));
    expect(JSON.stringify(json)).not.toMatch(/yTrue|outOfFold|"model":\{/);
    expect(JSON.stringify(table.toJSON())).toBe(JSON.stringify(table));
  });

  it('lets no name out of its line', async () => {
    const { first, second } = await runs();
    for (const name of Object.values(HOSTILE)) {
      const table = await compareModels({ results: { [name]: first, second } });
      expect(unsafeLines(table.summary())).toEqual([]);
      const broken = { ...row, name, reason: name };
      expect(unsafeLines(new ModelTable({ ...empty, rows: [broken, { ...broken, name: 'y' }] }).summary())).toEqual([]);
    }
  });
});
