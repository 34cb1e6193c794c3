import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median } from '../../src/core/median.js';
import { sortedQuantile, weightedQuantile } from '../../src/core/quantiles.js';
import reference from '../reference/calibrationCurves.json' with { type: 'json' };

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

describe('weightedQuantile', () => {
  it.each(reference.cases)(
    'equals quantile() of R, type 7, with repeated rows',
    ({ yProba, sampleWeight, quantiles }) => {
      const quantile = weightedQuantile(Float64Array.from(yProba), Float64Array.from(sampleWeight));
      quantiles.forEach((value, i) => {
        expect(quantile(i / 5)).toBeCloseTo(value, 14);
      });
    },
  );

  it('of one value is that value', () => {
    expect(weightedQuantile(Float64Array.of(3), Float64Array.of(2.5))(0.4)).toBe(3);
  });
});

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
