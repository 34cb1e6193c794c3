import { describe, expect, it } from 'vitest';
import { scaleOf } from '../../src/intervals/limits.js';

const cases: [range: [number, number], value: number][] = [
  [[0, 1], 0.9],
  [[-1, 1], -0.3],
  [[0, 2], 1.7],
  [[0, Number.POSITIVE_INFINITY], 12],
  [[Number.NEGATIVE_INFINITY, 1], -3],
  [[Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], 5],
];

describe('scaleOf', () => {
  it.each(cases)('%j goes there and back, with the slope of the way there', (range, value) => {
    const { to, back, slope } = scaleOf(range);
    const h = 1e-6;
    expect(back(to(value))).toBeCloseTo(value, 13);
    expect(slope(value)).toBeCloseTo((to(value + h) - to(value - h)) / (2 * h), 6);
  });

  it.each(cases)('%j is never left', (range, value) => {
    const { to, back } = scaleOf(range);
    for (const step of [-800, -5, 5, 800]) {
      const limit = back(to(value) + step);
      expect(limit >= range[0] && limit <= range[1]).toBe(true);
    }
  });

  it('of [-1, 1] gives the interval of Fisher z', () => {
    const { to, back, slope } = scaleOf([-1, 1]);
    const [estimate, half] = [0.6, 0.2];
    const fisher = Math.tanh(Math.atanh(estimate) + half / (1 - estimate ** 2));
    expect(back(to(estimate) + half * slope(estimate))).toBeCloseTo(fisher, 14);
  });
});
