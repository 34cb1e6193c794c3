import { describe, expect, it } from 'vitest';
import { studentTCdf, twoSidedP } from '../../src/stats/comparison/answers.js';
import reference from '../reference/comparison.json' with { type: 'json' };

describe('studentT', () => {
  it.each(reference.studentT)('equals R at t %d with %d degrees of freedom', (t, df, below, both) => {
    expect(studentTCdf(t, df)).toBeCloseTo(below, 12);
    // Below the smallest number of full precision, digits are lost on either side.
    expect(twoSidedP(t, df)).toBeCloseTo(both, 12);
    if (both > 1e-300) expect(twoSidedP(t, df) / both).toBeCloseTo(1, 10);
  });
});
