import { describe, expect, it } from 'vitest';
import { sortedQuantile } from '../../src/core/sortedQuantile.js';

describe('sortedQuantile', () => {
  it('lies on the straight line between two values', () => {
    // Places 0, .75, 1.5, 2.7 and 3 of 1, 2, 4, 8.
    const found = [0, 0.25, 0.5, 0.9, 1].map((share) => sortedQuantile([1, 2, 4, 8], share));
    expect(found).toEqual([1, 1.75, 3, expect.closeTo(4 + 0.7 * 4, 12), 8]);
    expect(sortedQuantile(Float64Array.of(5), 0.3)).toBe(5);
  });

  it('is exact between equal values, huge ones too', () => {
    expect(sortedQuantile([0.1, 0.1], 0.7)).toBe(0.1);
    expect(sortedQuantile([1e300, 1e300], 0.3)).toBe(1e300);
    // numpy 2.4.6: np.quantile([1.2, 5.2], .62) = 3.68; from the lower end it would be 3.6799999999999997.
    expect(sortedQuantile([1.2, 5.2], 0.62)).toBe(3.68);
  });
});
