import { describe, expect, it } from 'vitest';
import { rocAuc } from '../../../src/metrics/definitions/ranking.js';
import { rmse } from '../../../src/metrics/definitions/regression.js';
import { compareModels } from '../../../src/stats/compareModels.js';
import { ModelTable } from '../../../src/stats/comparison/modelTable.js';
import type { ModelTableComparison } from '../../../src/stats/comparison/tableComparisons.js';
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
  it('reads like this: all pairs', async () => {
    const table = await compareModels({ results: await runs(), nPermutations: 99 });
    expect(table.summary()).toMatchInlineSnapshot(`
      "roc_auc (larger is better) of 3 models on the same folds, 36 patients: PredefinedSplit({ testFold: an array of length 84 })

                estimate   95 % interval  fold mean  fold sd   folds   time   won
        mixed      0.866  [0.703, 0.946]      0.866    0.128  3 of 3  1.5 s  63 %
        first      0.838  [0.653, 0.935]      0.838    0.024  3 of 3  1.5 s  37 %
        second     0.772  [0.623, 0.873]      0.772    0.224  3 of 3  1.5 s   0 %

        Each 95 % interval stands alone and is about these predictions.
        Intervals of first; second; mixed: 33 of 1,000 resamples left a fold without
          a value; what they give is approximated from what each patient adds to the
          estimate.

      Differences of all pairs

        A            B   A - B  simultaneous 95 %      p  p (Holm)  sign flip (Holm)
        first   second   0.067    [-1.630, 1.764]  0.792     1.000             1.000
        first    mixed  -0.028    [-1.049, 0.994]  0.855     1.000             1.000
        second   mixed  -0.094    [-0.770, 0.581]  0.398     1.000             0.060

        Means of fold differences, corrected resampled t: about the training
          procedures. p-values by Holm and limits by Bonferroni allow for 3
          comparisons. The sign flip is about these predictions.
        All pairs are compared, so none had to be picked after a look at the table.

        Best: mixed, roc_auc 0.866 as picked. That is too good, since it was picked
          for this value on these patients (the winner's curse). Corrected for the
          choice by BBC-CV: 0.819 (95 % interval 0.558 to 0.981); it won in 63 % of
          the resamples of 36 patients. Report the corrected value. Models that were
          tried but are not in the table are not allowed for.
        330 of 1,000 resamples left a fold without a value; it counted with the
          other folds alone."
    `);
  });

  it('and like this: differences to a reference, of a loss that is pooled', async () => {
    const table = await compareModels({ results: await runs(), metric: 'brier', reference: 'second' });
    expect(table.summary()).toMatchInlineSnapshot(`
      "brier (smaller is better) of 3 models on the same folds, 36 patients: PredefinedSplit({ testFold: an array of length 84 })

                estimate   95 % interval  fold mean  fold sd   folds   time   won
        first      0.202  [0.159, 0.253]      0.208    0.034  3 of 3  1.5 s  68 %
        mixed      0.214  [0.170, 0.264]      0.207    0.046  3 of 3  1.5 s  32 %
        second     0.264  [0.200, 0.340]      0.246    0.077  3 of 3  1.5 s   0 %

        Each 95 % interval stands alone and is about these predictions.

      Differences to second

        A           B   A - B  simultaneous 95 %      p  p (Holm)
        first  second  -0.037    [-0.418, 0.344]  0.606     0.671
        mixed  second  -0.039    [-0.232, 0.154]  0.335     0.671

        The estimates above are over all folds at once, so they may differ by
          another amount.
        Means of fold differences, corrected resampled t: about the training
          procedures. p-values by Holm and limits by Bonferroni allow for 2
          comparisons.
        The reference must have been named before any result was seen: against one
          that was picked for its value, these p-values are too small.

        Best: first, brier 0.202 as picked. That is too good, since it was picked
          for this value on these patients (the winner's curse). Corrected for the
          choice by BBC-CV: 0.216 (95 % interval 0.154 to 0.281); it won in 68 % of
          the resamples of 36 patients. Report the corrected value. Models that were
          tried but are not in the table are not allowed for."
    `);
  });

  it('and like this where there is nothing', () => {
    expect(new ModelTable(empty).summary()).toMatchInlineSnapshot(`
      "rmse (smaller is better) of 2 models on the same folds, 50 rows: KFold({ nSplits: 5 })

           estimate  90 % interval  fold mean  fold sd  folds   time  won
        x         —              —          —        —      —  0.0 s    —
        y         —              —          —        —      —  0.0 s    —

        No results of x; y: no licence
        Each 90 % interval stands alone and is about these predictions.

        There are no two to compare.

        A note."
    `);
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
