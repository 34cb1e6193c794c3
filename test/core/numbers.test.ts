import { describe, expect, it } from 'vitest';
import {
  clippedLogit,
  clippedProbability,
  logistic,
  mean,
  power,
  sum,
  unbiasedVariance,
} from '../../src/core/numbers.js';
import { countValues } from '../../src/core/tally.js';

describe('sum, mean and unbiasedVariance', () => {
  it('are those of plain and typed arrays (hand calculation)', () => {
    for (const values of [[1, 2, 6], Float64Array.of(1, 2, 6), Int32Array.of(1, 2, 6)]) {
      expect(sum(values)).toBe(9);
      expect(mean(values)).toBe(3);
      expect(unbiasedVariance(values)).toBe((4 + 1 + 9) / 2);
    }
  });

  it('have no mean without values, and no variance of one', () => {
    expect(sum([])).toBe(0);
    expect(mean([])).toBeNaN();
    expect(unbiasedVariance([1])).toBeNaN();
  });
});

it('logistic is 1 / (1 + exp(-u)) (hand calculation), and finite far out', () => {
  expect(logistic(0)).toBe(0.5);
  expect(logistic(Math.log(4))).toBeCloseTo(0.8, 14);
  expect(logistic(-Math.log(4))).toBeCloseTo(0.2, 14);
  expect([logistic(-1000), logistic(1000)]).toEqual([0, 1]);
});

it('clippedLogit is ln(p / (1 - p)) (hand calculation) of probabilities kept 1e-8 from 0 and 1', () => {
  expect([0, 0.3, 1].map(clippedProbability)).toEqual([1e-8, 0.3, 1 - 1e-8]);
  expect(clippedLogit(0.5)).toBe(0);
  expect(clippedLogit(0.8)).toBeCloseTo(Math.log(4), 14);
  expect(clippedLogit(0)).toBeCloseTo(-18.420680734, 8); // R: qlogis(1e-8) = -18.42068073395237
  expect(clippedLogit(1)).toBeCloseTo(18.420680734, 7);
  expect(clippedLogit(1e-7)).toBeGreaterThan(clippedLogit(1e-8));
});

it('power is a product for whole exponents, and right to the last bits for others', () => {
  expect([power(3, 0), power(3, 5), power(-2, 3), power(10, -6), power(0, 0.5)]).toEqual([1, 243, -8, 1e-6, 0]);
  expect(power(1.1, 3)).toBe(1.1 * (1.1 * 1.1));
  for (const base of [1e-9, 0.3, 7, 1e12]) {
    expect(Math.abs(power(base, 0.5) / Math.sqrt(base) - 1)).toBeLessThan(1e-14);
  }
});

it('tally counts each value, in the order in which they come', () => {
  expect(countValues(['b', 'a', 'b', null])).toEqual({ values: ['b', 'a', null], counts: [2, 1, 1] });
  expect(countValues(Float64Array.of(2, Number.NaN, 2, Number.NaN))).toEqual({
    values: [2, Number.NaN],
    counts: [2, 2],
  });
  expect(countValues([])).toEqual({ values: [], counts: [] });
});
