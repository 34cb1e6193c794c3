import { describe, expect, it } from 'vitest';
import { limitsOf, type RangeShare, scaleOf } from '../../src/intervals/limits.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { r2 } from '../../src/metrics/definitions/regression.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], yPred: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1] });
const blocks = [{ table, units: Int32Array.from({ length: 10 }, (_, row) => row) }];
const facts = { metric: accuracy, level: 0.95, unit: 'row' };

describe('limitsOf', () => {
  it('is symmetric on the logit scale, with Student’s t', () => {
    const { lower, upper, ...spread } = limitsOf(facts, blocks, { estimate: 0.8, se: 0.05, df: 4 });
    expect(spread).toEqual({ standardError: 0.05, df: 4 });
    // t(4) = 2.7764451052; half = 2.7764451052 * .05 / (.8 * .2) = .867639095375; logit .8 = 1.386294
    expect(lower).toBeCloseTo(1 / (1 + Math.exp(-(1.38629436112 - 0.867639095375))), 8);
    expect(upper).toBeCloseTo(1 / (1 + Math.exp(-(1.38629436112 + 0.867639095375))), 8);
  });

  it('takes Wilson’s interval at a bound, for the effective units', () => {
    const z2 = 1.959963984540054 ** 2;
    const found = limitsOf(facts, blocks, { estimate: 1, se: 0, df: 9 });
    expect(found).toMatchObject({
      upper: 1,
      note: "The estimate is at the end of its range or does not vary: Wilson's limits from 10 rows.",
    });
    expect(found.lower).toBeCloseTo(10 / (10 + z2), 12);
    // Kish: 11^2 / 13 for nine rows of weight 1 and one of 2.
    const weight = Float64Array.from({ length: 10 }, (_, row) => (row === 0 ? 2 : 1));
    const uneven = limitsOf(facts, [{ ...blocks[0], table: { ...table, weight } }], { estimate: 1, se: 0, df: 9 });
    expect(uneven.lower).toBeCloseTo(121 / 13 / (121 / 13 + z2), 12);
    expect(uneven.note).toContain('from rows of unequal weight that are worth 9.3 equal ones.');
  });

  it('takes what training adds into the limits at a bound, where it is given', () => {
    const widened = ({ share, n, width, plain: [lower] }: RangeShare) => {
      expect([share, n, width]).toEqual([1, 10, 1]);
      return [lower / 2, 1] as const;
    };
    const [plain, found] = [undefined, widened].map((how) =>
      limitsOf(facts, blocks, { estimate: 1, se: 0.1, df: 9, widened: how }),
    );
    expect(found).toEqual({
      lower: (plain.lower as number) / 2,
      upper: 1,
      note: "The estimate is at the end of its range or does not vary: Wilson's limits from 10 rows.",
    });
  });

  it('gives none without spread and without a finite range', () => {
    expect(limitsOf({ ...facts, metric: r2 }, blocks, { estimate: 0.5, se: 0, df: 9 })).toEqual({
      lower: null,
      upper: null,
      reason: 'the estimate, 0.500, has no spread',
    });
  });

  it('gives none that are no numbers', () => {
    for (const se of [Number.NaN, Infinity]) {
      expect(limitsOf({ ...facts, metric: r2 }, blocks, { estimate: -1e300, se, df: 9 })).toEqual({
        lower: null,
        upper: null,
        reason: 'its limits are beyond the largest number',
      });
    }
  });
});

const cases: [range: [number, number], value: number][] = [
  [[0, 1], 0.9],
  [[-1, 1], -0.3],
  [[0, 2], 1.7],
  [[0, Number.POSITIVE_INFINITY], 12],
  [[Number.NEGATIVE_INFINITY, 1], -3],
  [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], 5],
];

describe('scaleOf', () => {
  it.each(cases)('%j goes there and back, with the slope of the way there', (range, value) => {
    const { to, back, slope } = scaleOf(range);
    const h = 1e-6;
    expect(back(to(value))).toBeCloseTo(value, 13);
    expect(slope(value)).toBeCloseTo((to(value + h) - to(value - h)) / (2 * h), 6);
  });

  it.each(cases)('%j is never left', (range, value) => {
    const { to, back } = scaleOf(range);
    for (const step of [-800, -5, 5, 800]) {
      const limit = back(to(value) + step);
      expect(limit >= range[0] && limit <= range[1]).toBe(true);
    }
  });

  it('of [-1, 1] gives the interval of Fisher z', () => {
    const { to, back, slope } = scaleOf([-1, 1]);
    const [estimate, half] = [0.6, 0.2];
    const fisher = Math.tanh(Math.atanh(estimate) + half / (1 - estimate ** 2));
    expect(back(to(estimate) + half * slope(estimate))).toBeCloseTo(fisher, 14);
  });
});
