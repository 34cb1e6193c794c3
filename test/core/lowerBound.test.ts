import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowerBound } from '../../src/core/lowerBound.js';

it('is where a linear search finds the first value that is not below', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 })), fc.integer({ min: -6, max: 6 }), (values, value) => {
      const sorted = values.sort((a, b) => a - b);
      const found = sorted.findIndex((each) => each >= value);
      expect(lowerBound(sorted, value)).toBe(found < 0 ? sorted.length : found);
    }),
  );
});
