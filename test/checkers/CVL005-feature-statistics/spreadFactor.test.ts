import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spreadFactor } from '../../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import reference from '../../reference/spreadFactor.json' with { type: 'json' };

describe('spreadFactor', () => {
  it.each(reference.cases)('finds $factor again for a test share of $tested', ({ factor, tested, difference }) => {
    // 200 quantiles stand for each side, so tails are a little short.
    expect(Math.abs(Math.log(spreadFactor(difference, tested) / factor))).toBeLessThan(0.01);
  });

  it('is 1 without a difference, and rises with it', () => {
    const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(share, fc.double({ min: -0.5, max: 0.5, noNaN: true }), (tested, difference) => {
        expect(spreadFactor(0, tested)).toBeCloseTo(1, 2);
        const factor = spreadFactor(difference, tested);
        expect(spreadFactor(difference + 0.1, tested)).toBeGreaterThan(factor);
        if (Math.abs(difference) > 0.001) expect(factor > 1).toBe(difference > 0);
      }),
      { numRuns: 30 },
    );
  });

  it('is Infinity, or 0, where no width gives so much', () => {
    expect(spreadFactor(5, 0.2)).toBe(Infinity);
    expect(spreadFactor(-5, 0.2)).toBe(0);
  });
});
