import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { accuracy } from '../../../src/metrics/definitions/multiclass.js';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { averagePrecision, rocAuc } from '../../../src/metrics/definitions/ranking.js';
import type { Metric } from '../../../src/metrics/metric.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';
import { signFlip } from '../../../src/stats/comparison/signFlip.js';
import { scoredFolds } from '../../../src/stats/results.js';
import reference from '../../reference/comparison.json' with { type: 'json' };
import studentised from '../../reference/signFlip.json' with { type: 'json' };
import { givenResults } from '../given.js';

const { patients, y, fold, a, b, ...exact } = reference.signFlip;
const B = 9999;

async function flipped(
  metric: Metric,
  groups: number[] | null = patients,
  weight?: number[],
  nPermutations = B,
  ofB: readonly number[] = b,
) {
  const more = { y, fold, groups: groups ?? undefined, ...(weight ? { weight } : {}) };
  const [one, other] = [await givenResults({ p: a, ...more }), await givenResults({ p: ofB, ...more })];
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
  it('of the AUC comes to the exact p-value over all 4,096 swaps, each over its standard error', async () => {
    const test = await flipped(rocAuc);
    expect(test.difference).toBeCloseTo(exact.auc.difference, 12);
    expect(Math.abs((test.pValue as number) - studentised.auc.p)).toBeLessThan(noise(studentised.auc.p));
    // Ranks within the fold, swapped without a standard error, come to another p-value: the test can tell.
    expect(Math.abs((test.pValue as number) - exact.auc.p)).toBeGreaterThan(noise(exact.auc.p));
    expect(test).toMatchObject({ estimand: 'predictions', statistic: 'studentised', nUnits: 12, nFolds: 2 });
  });

  it('of the AUC does with scores on another scale, too', async () => {
    const squares = b.map((p) => p ** 2);
    const { pValue } = await flipped(rocAuc, patients, undefined, B, squares);
    expect(Math.abs((pValue as number) - studentised.squared.p)).toBeLessThan(noise(studentised.squared.p));
  });

  it('of a metric of ranks without an influence function swaps for the difference alone', async () => {
    const { influence: _, ...bare } = averagePrecision;
    const test = await flipped(bare);
    const { difference, pOfDifference } = studentised.averagePrecision;
    expect(test.difference).toBeCloseTo(difference, 12);
    expect(Math.abs((test.pValue as number) - pOfDifference)).toBeLessThan(noise(pOfDifference));
    expect(test.statistic).toBe('difference');
  });

  it('is the same for A - B as for B - A, and 1 for a model and itself', async () => {
    const [one, other] = [
      await givenResults({ p: a, y, fold, groups: patients }),
      await givenResults({ p: b, y, fold, groups: patients }),
    ];
    const test = (x: typeof one, z: typeof one) =>
      signFlip({
        metric: rocAuc,
        a: scoredFolds(x).folds,
        b: scoredFolds(z).folds,
        unit: 'patient',
        level: 0.95,
        nBootstrap: 0,
        nPermutations: 199,
        random: randomSource(3),
      });
    expect(test(one, other).pValue).toBe(test(other, one).pValue);
    expect(test(one, one)).toMatchObject({ difference: 0, pValue: 1 });
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

/** A null without a reference elsewhere: both models are noisy copies of one score, so p < .05 in 5 % of the runs. */
describe('the level of the sign flip', () => {
  it.each([
    ['alike', 1],
    ['squared', 2],
  ])(
    'holds with patients of one to six rows in five folds, the scores of B %s',
    { tags: 'slow', timeout: 120_000 },
    (_, scale) => {
      const runs = 500;
      const random = randomSource(11);
      const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
      const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));
      let rejected = 0;
      for (let run = 0; run < runs; run++) {
        const rows = Array.from({ length: 20 }, (_, patient) => {
          const [shift, more] = [normal(), 1 + Math.floor(6 * random.random())];
          return Array.from({ length: more }, () => {
            const score = (patient % 2) + shift + normal();
            return { patient, a: sigmoid(score + 0.7 * normal()), b: sigmoid(score + 0.7 * normal()) };
          });
        }).flat();
        const side = (key: 'a' | 'b') =>
          [0, 1, 2, 3, 4].map((fold) => {
            const those = rows.filter(({ patient }) => (patient >> 1) % 5 === fold);
            const table = scoreTable({
              yTrue: those.map(({ patient }) => patient % 2),
              yPred: those.map(() => 1),
              yProba: those.map((row) => (key === 'b' ? row.b ** scale : row.a)),
              task: 'binary',
            });
            const units = Int32Array.from(those, ({ patient }) => patient);
            return { table, units, rows: units, nTrain: 16, repeat: 0 };
          });
        const { pValue } = signFlip({
          metric: rocAuc,
          a: side('a'),
          b: side('b'),
          unit: 'patient',
          level: 0.95,
          nBootstrap: 0,
          nPermutations: 99,
          random,
        });
        if ((pValue as number) <= 0.05) rejected++;
      }
      // Three standard errors of a share of .05 in 500 runs; ranked and not studentised it was .09.
      expect(rejected / runs).toBeLessThan(0.05 + 0.029);
      if (scale === 1) expect(rejected / runs).toBeGreaterThan(0.05 - 0.029);
    },
  );
});
