import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnRanks } from '../../../src/checkers/features/columnRanks.js';

it('ranks ties by their mean and leaves missing cells out', () => {
  const { order, ranks, distinct } = columnRanks({ values: Float64Array.of(3, Number.NaN, 1, 3, -0, 0) });
  expect([...order]).toEqual([4, 5, 2, 0, 3]);
  expect([...ranks]).toEqual([4.5, Number.NaN, 3, 4.5, 1.5, 1.5]);
  expect(distinct).toBe(3);
});

it('takes infinities, huge and tiny values, and nothing but missing cells', () => {
  const values = Float64Array.of(1e300, Number.NEGATIVE_INFINITY, 1e-300, Number.POSITIVE_INFINITY, 0);
  expect([...columnRanks({ values }).ranks]).toEqual([4, 1, 3, 5, 2]);
  const none = columnRanks({ values: new Float64Array(3).fill(Number.NaN) });
  expect([none.order.length, none.distinct]).toEqual([0, 0]);
});

it('has the mean rank of as many numbers, and orders by value', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 50 }), (list) => {
      const values = Float64Array.from(list);
      const { order, ranks } = columnRanks({ values });
      const n = list.length;
      expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo((n * (n + 1)) / 2, 9);
      for (let at = 1; at < n; at++) expect(values[order[at - 1]]).toBeLessThanOrEqual(values[order[at]]);
    }),
  );
});
