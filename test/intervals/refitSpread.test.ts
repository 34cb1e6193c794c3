import { describe, expect, it } from 'vitest';
import { refitSpread } from '../../src/intervals/refitSpread.js';

describe('refitSpread', () => {
  it('is sqrt(.632) times the standard deviation (hand calculation)', () => {
    // Mean .7, squares .01 + 0 + .01, so a standard deviation of .1.
    expect(refitSpread({ values: [0.6, 0.7, 0.8], count: 3 }).se).toBeCloseTo(0.1 * Math.sqrt(0.632), 14);
  });

  it('counts resamples without a value, and gives none when they are more than half', () => {
    const values = [0.6, 0.7, 0.8];
    expect(refitSpread({ values, count: 6 })).toMatchObject({
      note: '3 of 6 refits left the metric undefined and were dropped.',
    });
    expect(refitSpread({ values, count: 7 })).toEqual({
      se: null,
      reason: '4 of 7 refits left the metric undefined',
    });
    expect(refitSpread({ values: [], count: 20 }).se).toBeNull();
  });
});
