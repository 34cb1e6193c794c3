import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { accuracy } from '../../../src/metrics/definitions/multiclass.js';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { rocAuc } from '../../../src/metrics/definitions/ranking.js';
import type { Metric } from '../../../src/metrics/metric.js';
import { signFlip } from '../../../src/stats/comparison/signFlip.js';
import { scoredFolds } from '../../../src/stats/results.js';
import reference from '../../reference/comparison.json' with { type: 'json' };
import { givenResults } from '../given.js';

const { patients, y, fold, a, b, ...exact } = reference.signFlip;
const B = 9999;

async function flipped(metric: Metric, groups: number[] | null = patients, weight?: number[], nPermutations = B) {
  const more = { y, fold, groups: groups ?? undefined, ...(weight ? { weight } : {}) };
  const [one, other] = [await givenResults({ p: a, ...more }), await givenResults({ p: b, ...more })];
  return signFlip({
    metric,
    a: scoredFolds(one).folds,
    b: scoredFolds(other).folds,
    unit: 'patient',
    level: 0.95,
    nBootstrap: 0,
    nPermutations,
    random: randomSource(3),
  });
}

/** 3 Monte Carlo standard errors of a p-value from B swaps. */
const noise = (p: number) => 3 * Math.sqrt((p * (1 - p)) / B) + 1 / B;

describe('signFlip', () => {
  it('of the AUC comes to the exact p-value over all 4,096 swaps, ranked within the fold', async () => {
    const test = await flipped(rocAuc);
    expect(test.difference).toBeCloseTo(exact.auc.difference, 12);
    expect(Math.abs((test.pValue as number) - exact.auc.p)).toBeLessThan(noise(exact.auc.p));
    // Without ranks another p-value would come out: the test can tell.
    expect(Math.abs((test.pValue as number) - exact.aucUnranked.p)).toBeGreaterThan(noise(exact.aucUnranked.p));
    expect(test).toMatchObject({ estimand: 'predictions', nUnits: 12, nFolds: 2, nPermutations: B });
  });

  it('of the accuracy, too', async () => {
    const test = await flipped(accuracy);
    expect(test.difference).toBeCloseTo(exact.accuracy.difference, 12);
    expect(Math.abs((test.pValue as number) - exact.accuracy.p)).toBeLessThan(noise(exact.accuracy.p));
  });

  it('swaps whole patients: rows one by one give another p-value', async () => {
    const rows = await flipped(brier, null);
    const whole = await flipped(brier);
    expect(rows.difference).toBeCloseTo(whole.difference as number, 14);
    expect(rows.pValue).not.toBe(whole.pValue);
  });

  it('counts weights of 0 as absent and scales away constants', async () => {
    const weight = y.map((_, i) => i % 4);
    expect(await flipped(accuracy, patients, weight, 199)).toEqual(
      await flipped(
        accuracy,
        patients,
        weight.map((w) => w * 5),
        199,
      ),
    );
  });

  it('has no p-value below ten patients', async () => {
    expect(
      await flipped(
        accuracy,
        patients.map((patient) => patient % 5),
      ),
    ).toMatchObject({
      pValue: null,
      nAtLeast: null,
      reason: 'only 5 patients, fewer than 10',
    });
  });
});
