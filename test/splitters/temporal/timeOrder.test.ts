import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextTime, rowsAt, startOfTime, timeOrder } from '../../../src/splitters/temporal/timeOrder.js';

describe('timeOrder', () => {
  it('orders rows by time, equal times by row', () => {
    const order = timeOrder({ timestamps: [5, 1, 5, 3] }, 4);
    expect([...order.rows]).toEqual([1, 3, 0, 2]);
    expect([...order.times]).toEqual([1, 3, 5, 5]);
    expect(order.dates).toBe(false);
  });

  it('takes row order for time where there are no timestamps', () => {
    expect([...timeOrder({}, 3).rows]).toEqual([0, 1, 2]);
    expect([...timeOrder({}, 3).times]).toEqual([0, 1, 2]);
  });

  it('reads dates as milliseconds of UTC', () => {
    const order = timeOrder({ timestamps: ['2024-01-02', new Date(0)] }, 2);
    expect([...order.times]).toEqual([0, Date.UTC(2024, 0, 2)]);
    expect(order.dates).toBe(true);
  });

  it('cuts between times only, forward or back', () => {
    const order = timeOrder({ timestamps: [1, 2, 2, 2, 3] }, 5);
    expect([0, 1, 2, 3, 4, 5, 9].map((place) => nextTime(order, place))).toEqual([0, 1, 4, 4, 4, 5, 5]);
    expect([-1, 0, 1, 2, 3, 4, 5].map((place) => startOfTime(order, place))).toEqual([0, 0, 1, 1, 1, 4, 5]);
  });

  it('gives every row once, with times that never fall, whatever the order of the input', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }), (timestamps) => {
        const order = timeOrder({ timestamps }, timestamps.length);
        expect([...rowsAt(order, 0, order.n)]).toEqual([...timestamps.keys()]);
        for (let at = 1; at < order.n; at++) expect(order.times[at]).toBeGreaterThanOrEqual(order.times[at - 1]);
      }),
    );
  });
});
