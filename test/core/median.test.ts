import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median } from '../../src/core/median.js';
import { sortedQuantile } from '../../src/core/sortedQuantile.js';

describe('median', () => {
  it('is the value in the middle, or half way between two', () => {
    expect(median(Float64Array.of(5, 1, 3))).toBe(3);
    expect(median(Float64Array.of(8, 1, 4, 2))).toBe(3);
    expect(median(Float64Array.of(7))).toBe(7);
  });

  it('is that of the sorted values, with many equal ones, and leaves the values as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 40 }), (list) => {
        const values = Float64Array.from(list);
        expect(median(values)).toBeCloseTo(sortedQuantile(values.slice().sort(), 0.5), 12);
        expect(Array.from(values)).toEqual(list);
      }),
    );
  });
});
