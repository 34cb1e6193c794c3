import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/core/incompleteBeta.js';
import { limitsOf } from '../../src/intervals/limits.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { r2 } from '../../src/metrics/definitions/regression.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1], yPred: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1] });
const blocks = [{ table, units: Int32Array.from({ length: 10 }, (_, row) => row) }];
const facts = { metric: accuracy, level: 0.95, unit: 'row' };

describe('limitsOf', () => {
  it('is symmetric on the logit scale, with Student’s t', () => {
    const { lower, upper } = limitsOf(facts, blocks, { estimate: 0.8, se: 0.05, df: 4 });
    // t(4) = 2.7764451052; half = 2.7764451052 * .05 / (.8 * .2) = .867639095375; logit .8 = 1.386294
    expect(lower).toBeCloseTo(1 / (1 + Math.exp(-(1.38629436112 - 0.867639095375))), 8);
    expect(upper).toBeCloseTo(1 / (1 + Math.exp(-(1.38629436112 + 0.867639095375))), 8);
  });

  it('takes Wilson’s interval at a bound, for the effective units', () => {
    const z2 = 1.959963984540054 ** 2;
    const found = limitsOf(facts, blocks, { estimate: 1, se: 0, df: 9 });
    expect(found).toMatchObject({
      upper: 1,
      note: "The estimate is at the end of its range or does not vary: limits by Wilson's formula from 10 rows.",
    });
    expect(found.lower).toBeCloseTo(10 / (10 + z2), 12);
    // Kish: 11^2 / 13 for nine rows of weight 1 and one of 2.
    const weight = Float64Array.from({ length: 10 }, (_, row) => (row === 0 ? 2 : 1));
    const uneven = limitsOf(facts, [{ ...blocks[0], table: { ...table, weight } }], { estimate: 1, se: 0, df: 9 });
    expect(uneven.lower).toBeCloseTo(121 / 13 / (121 / 13 + z2), 12);
    expect(uneven.note).toContain('from rows of unequal weight that are worth 9.3 equal ones.');
  });

  it('widens Wilson’s interval by what training adds: the shares within t standard errors of the estimate', () => {
    const training = ({ variance, df }: { variance: number; df: number }) => ({
      variance: variance + 0.01,
      df: df / 2,
    });
    const found = limitsOf(facts, blocks, { estimate: 1, se: 0.1, df: 9, withTraining: training });
    const p = found.lower as number;
    // t(4.5) = 2.659: df of ten rows less one, halved by the made-up training.
    const t = studentTQuantile(0.975, 4.5);
    expect((1 - p) ** 2).toBeCloseTo(t ** 2 * ((p * (1 - p)) / 10 + 0.01), 12);
    expect(found).toMatchObject({
      upper: 1,
      note: "The estimate is at the end of its range or does not vary: limits by Wilson's formula from 10 rows, with what training adds.",
    });
  });

  it('does the same in a range of another width', () => {
    const wide = { ...facts, metric: { ...accuracy, range: [-1, 1] as const } };
    const training = ({ variance, df }: { variance: number; df: number }) => ({ variance: variance + 0.04, df });
    const found = limitsOf(wide, blocks, { estimate: -1, se: 0.1, df: 9, withTraining: training });
    const p = ((found.upper as number) + 1) / 2;
    const t = studentTQuantile(0.975, 9);
    expect(p ** 2).toBeCloseTo(t ** 2 * ((p * (1 - p)) / 10 + 0.01), 12);
    expect(found.lower).toBe(-1);
  });

  it('gives none without spread and without a finite range', () => {
    expect(limitsOf({ ...facts, metric: r2 }, blocks, { estimate: 0.5, se: 0, df: 9 })).toEqual({
      lower: null,
      upper: null,
      reason: 'the estimate, 0.500, has no spread',
    });
  });
});
