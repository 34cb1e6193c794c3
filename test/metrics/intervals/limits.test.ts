import { describe, expect, it } from 'vitest';
import { accuracy } from '../../../src/metrics/accuracy.js';
import { limitsOf } from '../../../src/metrics/intervals/limits.js';
import { r2 } from '../../../src/metrics/r2.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

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

  it('takes Wilson’s interval at a bound, for the effective units over the square of the factor', () => {
    const z2 = 1.959963984540054 ** 2;
    const at = (factor: number) => limitsOf(facts, blocks, { estimate: 1, se: 0, df: 9, factor });
    expect(at(1)).toMatchObject({ upper: 1, note: expect.stringContaining('10 effective rows') });
    expect(at(1).lower).toBeCloseTo(10 / (10 + z2), 12);
    expect(at(2).lower).toBeCloseTo(2.5 / (2.5 + z2), 12);
  });

  it('gives none without spread and without a finite range', () => {
    expect(limitsOf({ ...facts, metric: r2 }, blocks, { estimate: 0.5, se: 0, df: 9 })).toEqual({
      lower: null,
      upper: null,
      reason: 'the estimate, 0.500, has no spread',
    });
  });
});
