import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseThreshold, type ThresholdRule } from '../../../src/clinical/decisions/chooseThreshold.js';
import { randomSource } from '../../../src/core/random.js';
import reference from '../../reference/decisions.json' with { type: 'json' };

describe('chooseThreshold', () => {
  it.each(reference.binary)(
    'equals what roc_curve of scikit-learn says',
    ({ yTrue, yProba, sampleWeight, thresholds }) => {
      for (const { rule, threshold, sensitivity, specificity } of thresholds) {
        const weights = sampleWeight ? { sampleWeight } : {};
        const found = chooseThreshold(yTrue, yProba, rule as ThresholdRule, weights);
        expect(found.threshold, JSON.stringify(rule)).toBe(threshold);
        expect(found.sensitivity).toBeCloseTo(sensitivity, 12);
        expect(found.specificity).toBeCloseTo(specificity, 12);
      }
    },
  );

  it.each(reference.guaranteed)('guarantees $wanted with confidence $confidence from $n positives', (each) => {
    const { n, wanted, confidence, missed, reached } = each;
    const yTrue = Array.from({ length: n + 5 }, (_, row) => (row < n ? 1 : 0));
    const yProba = yTrue.map((_, row) => (row + 1) / (n + 10));
    const choose = () => chooseThreshold(yTrue, yProba, { guaranteedSensitivity: wanted, confidence });
    if (missed === null || reached === null) return expect(choose).toThrow(/or more positive rows to guarantee/);
    const { threshold, guarantee, sensitivity } = choose();
    expect(guarantee).toMatchObject({ unit: 'row', nUnits: n, missed });
    expect(guarantee?.confidence).toBeCloseTo(reached, 12);
    expect(threshold).toBe(yProba[missed]);
    expect(sensitivity).toBe((n - missed) / n);
  });

  it('needs 14, 29 and 59 positives for .80, .90 and .95 (statistics: 1 - s^n >= .95)', () => {
    for (const [wanted, least] of [
      [0.8, 14],
      [0.9, 29],
      [0.95, 59],
    ]) {
      const choose = (n: number) =>
        chooseThreshold(new Array(n).fill(1).concat(0), new Array(n + 1).fill(0.5), { guaranteedSensitivity: wanted });
      expect(choose(least).guarantee?.missed).toBe(0);
      expect(() => choose(least - 1)).toThrow(`rest on ${least} or more positive rows`);
    }
  });

  it('keeps the promise in 95 % of samples, where the plain rule keeps it in half', () => {
    const random = randomSource(8);
    const draws = 1000;
    let [kept, plain] = [0, 0];
    for (let draw = 0; draw < draws; draw++) {
      // Positives are uniform on [0, 1]: the sensitivity on new patients is 1 - threshold.
      const yProba = Array.from({ length: 60 }, () => random.random());
      const yTrue = new Array(60).fill(1);
      if (1 - chooseThreshold(yTrue, yProba, { guaranteedSensitivity: 0.9 }).threshold >= 0.9) kept++;
      if (1 - chooseThreshold(yTrue, yProba, { sensitivity: 0.9 }).threshold >= 0.9) plain++;
    }
    const standardError = Math.sqrt(0.95 * 0.05 * draws);
    expect(kept).toBeGreaterThan(0.95 * draws - 3 * standardError);
    expect(plain).toBeLessThan(0.7 * draws);
  });

  it('counts a patient once in a guarantee, with his hardest row', () => {
    const groups = Array.from({ length: 60 }, (_, row) => Math.floor(row / 2));
    const yProba = groups.map((_, row) => 0.2 + row / 100);
    const found = chooseThreshold(new Array(60).fill(1), yProba, { guaranteedSensitivity: 0.9 }, { groups });
    expect(found).toMatchObject({ threshold: 0.2, guarantee: { unit: 'patient', nUnits: 30, missed: 0 } });
  });

  it('takes weight k as the row k times, and the lowest of equally good thresholds', () => {
    const rules: ThresholdRule[] = ['youden', { sensitivity: 0.8 }, { cost: { falsePositive: 1, falseNegative: 2 } }];
    const row = fc.record({
      y: fc.integer({ min: 0, max: 1 }),
      p: fc.integer({ min: 0, max: 5 }),
      w: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 20 }), fc.constantFrom(...rules), (rows, rule) => {
        fc.pre(new Set(rows.map(({ y }) => y)).size === 2);
        const column = (copies: typeof rows) => [copies.map(({ y }) => y), copies.map(({ p }) => p / 5)] as const;
        const repeated = rows.flatMap((each) => new Array<typeof each>(each.w).fill(each));
        const weighted = chooseThreshold(...column(rows), rule, { sampleWeight: rows.map(({ w }) => w) });
        expect(chooseThreshold(...column(repeated), rule)).toEqual(weighted);
      }),
    );
    expect(chooseThreshold([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], 'youden').threshold).toBe(0.2);
  });

  it('takes a fixed threshold as it is and says what it does (hand count), also on one class', () => {
    const [y, p] = [
      [0, 1, 0, 1, 1],
      [0.1, 0.3, 0.4, 0.6, 0.9],
    ];
    const rates = (fixed: number) => {
      const { threshold, rule, sensitivity, specificity } = chooseThreshold(y, p, { fixed });
      expect([threshold, rule]).toEqual([fixed, { fixed }]);
      return [sensitivity, specificity];
    };
    expect([0, 0.3, 0.31, 0.6, 1].map(rates)).toEqual([
      [1, 0],
      [1, 1 / 2],
      [2 / 3, 1 / 2],
      [2 / 3, 1],
      [0, 1],
    ]);
    expect(chooseThreshold([0, 0], [0.1, 0.5], { fixed: 0.5 })).toMatchObject({ sensitivity: null, specificity: 0.5 });
  });

  it('finds nobody just above the highest probability', () => {
    for (const highest of [1, 0.7, 0]) {
      const { threshold, sensitivity } = chooseThreshold([1, 0], [0, highest], { specificity: 1 });
      expect([threshold > highest, threshold <= highest + 3e-16, sensitivity]).toEqual([true, true, 0]);
    }
  });
});
