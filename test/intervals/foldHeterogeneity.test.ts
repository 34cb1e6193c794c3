import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { foldHeterogeneity, heterogeneityWarning } from '../../src/intervals/foldInterval.js';
import type { Interval } from '../../src/intervals/interval.js';
import { influenceVariance, isInfluential, unitBlocks } from '../../src/intervals/unitBlocks.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const accuracy = metricRegistry.get('accuracy');

/** Folds of 50 rows of which so many are right. */
const foldsWith = (right: readonly number[], rows = 50) =>
  right.map((hits, fold) => {
    const yTrue = Array.from({ length: rows }, (_, row) => row % 2);
    const table = scoreTable({ yTrue, yPred: yTrue.map((y, row) => (row < hits ? y : 1 - y)), classes: [0, 1] });
    const units = Int32Array.from({ length: rows }, (_, row) => rows * fold + row);
    return { table, units, nTrain: 200, repeat: 0, score: score(accuracy, table) };
  });

describe('foldHeterogeneity', () => {
  const design = { partition: true };

  it('is Cochran’s Q, by F (hand calculation; scipy.stats.f.sf)', () => {
    // Values .8 .8 .8 .8 .4, mean .72; sum of squares 4 x .0064 + .1024 = .128; K V = 5 x .0008 = .004.
    const input = { metric: accuracy, folds: foldsWith([40, 40, 40, 40, 20]), design };
    const found = foldHeterogeneity(input, { variance: 0.0008, df: 249 });
    expect(found).toMatchObject({ q: expect.closeTo(32, 10), df: 4 });
    // python3 -c "from scipy.stats import f; print(f.sf(8, 4, 249))"
    expect(found?.pValue).toBeCloseTo(4.4065083847115255e-6, 12);
  });

  it('weighs folds by their units: the mean of unequal folds is that of all rows', () => {
    const folds = [
      ...foldsWith([40]),
      ...foldsWith([5], 10).map((fold) => ({ ...fold, units: fold.units.map((u) => u + 99) })),
    ];
    // Values .8 (50 rows) and .5 (10); mean .75; Q = (50 x .0025 + 10 x .0625) / (60 V).
    const found = foldHeterogeneity({ metric: accuracy, folds, design }, { variance: 0.003, df: 59 });
    expect(found?.q).toBeCloseTo(0.75 / 0.18, 10);
  });

  it('of a repeated design is that of the first repeat', () => {
    const first = foldsWith([40, 40, 40, 40, 20]);
    const later = foldsWith([20, 30, 35, 25, 10]).map((fold) => ({ ...fold, repeat: 1 }));
    const spread = { variance: 0.0008, df: 249 };
    const alone = foldHeterogeneity({ metric: accuracy, folds: first, design }, spread);
    expect(alone?.df).toBe(4);
    expect(foldHeterogeneity({ metric: accuracy, folds: [...first, ...later], design }, spread)).toEqual(alone);
    // A fold without a value in another repeat does not stand in the way either.
    const lost = later.map((fold) => ({ ...fold, score: { value: null, reason: 'no rows' } as const }));
    expect(foldHeterogeneity({ metric: accuracy, folds: [...first, ...lost], design }, spread)).toEqual(alone);
  });

  it('is not judged where folds overlap, lack a value, or rest on fewer than five units', () => {
    const folds = foldsWith([40, 20]);
    const spread = { variance: 0.001, df: 99 };
    expect(foldHeterogeneity({ metric: accuracy, folds }, spread)).toBeUndefined();
    expect(foldHeterogeneity({ metric: accuracy, folds: folds.slice(0, 1), design }, spread)).toBeUndefined();
    expect(foldHeterogeneity({ metric: accuracy, folds: foldsWith([2, 4], 4), design }, spread)).toBeUndefined();
    const none = { ...folds[0], score: { value: null, reason: 'no rows' } } as const;
    expect(foldHeterogeneity({ metric: accuracy, folds: [none, folds[1]], design }, spread)).toBeUndefined();
  });

  it.each(['roc_auc', 'accuracy', 'sensitivity'])('of one model in all folds is small by chance alone: %s', (name) => {
    const metric = metricRegistry.get(name);
    if (!isInfluential(metric)) throw new Error('no influence');
    const random = randomSource(11);
    const runs = 400;
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const folds = Array.from({ length: 5 }, (_, fold) => {
        const yTrue = Array.from({ length: 60 }, () => (random.random() < 0.4 ? 1 : 0));
        const table = scoreTable({
          yTrue,
          yProba: yTrue.map((y) => (0.3 * y + random.random()) / 1.3),
          classes: [0, 1],
        });
        const units = Int32Array.from({ length: 60 }, (__, row) => 60 * fold + row);
        return { table, units, nTrain: 240, repeat: 0, score: score(metric, table) };
      });
      const spread = influenceVariance({ metric }, unitBlocks({ metric, folds }));
      const found = foldHeterogeneity({ metric, folds, design }, spread);
      if (found && found.pValue < 0.01) alarms++;
    }
    // Expected 4 of 400 at a level of .01; 12 lie four standard errors above.
    expect(alarms).toBeLessThanOrEqual(12);
  });
});

describe('heterogeneityWarning', () => {
  it('is one sentence about all scores, with its limits', () => {
    const of = (pValue: number, estimand = 'predictions') =>
      ({ heterogeneity: { q: 1, df: 4, pValue }, estimand }) as Interval;
    expect(heterogeneityWarning({ a: of(0.2), b: {} as Interval })).toEqual([]);
    expect(heterogeneityWarning({ a: of(0.002), b: of(0.2), c: of(0.009) })).toEqual([
      "The folds differ more than their test rows explain in a (p = 0.002), c (p = 0.009), by Cochran's Q: other training sets may change the result by more than the intervals show. The absence of this warning proves nothing: folds share training rows.",
    ]);
    expect(heterogeneityWarning({ a: of(7.7e-57) })[0]).toContain('in a (p < .001), by');
    // An interval about the procedure has what other training sets change.
    expect(heterogeneityWarning({ a: of(0.002, 'procedure') })).toEqual([]);
    // Not where halves do not show it.
    const unseen = { ...of(0.002, 'procedure'), trainingShare: 0 };
    expect(heterogeneityWarning({ a: unseen })[0]).toContain('in a (p = 0.002), by');
    expect(heterogeneityWarning({ a: of(0.002, 'procedure'), b: of(0.004) })[0]).toContain(
      'explain in b (p = 0.004), by',
    );
  });
});
