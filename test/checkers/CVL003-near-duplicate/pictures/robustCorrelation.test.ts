import { describe, expect, it } from 'vitest';
import { robustCorrelation } from '../../../../src/checkers/CVL003-near-duplicate/pictures/robustCorrelation.js';
import { randomSource } from '../../../../src/core/random.js';
import { normal } from '../normal.js';

const random = randomSource(5);
const u = Float32Array.from({ length: 784 }, () => normal(random));

describe('robustCorrelation', () => {
  it('is 1 for copies and negatives, about 0 for others, and 0 for a constant', () => {
    expect(robustCorrelation(u, u, 28)).toBeCloseTo(1, 6);
    expect(
      robustCorrelation(
        u,
        u.map((value) => -2 * value),
        28,
      ),
    ).toBeCloseTo(1, 6);
    expect(
      robustCorrelation(
        u,
        u.map(() => normal(random)),
        28,
      ),
    ).toBeLessThan(0.15);
    expect(robustCorrelation(u, new Float32Array(784), 28)).toBe(0);
  });

  it('leaves out what is not seen, single places, and a part that is covered, but no half', () => {
    const random = randomSource(6);
    const noisy = u.map((value) => value + 0.2 * normal(random));
    const odd = noisy.map((value, at) => (at % 40 === 0 ? 9 : at % 41 === 0 ? Number.NaN : value));
    expect(robustCorrelation(u, odd, 28)).toBeGreaterThan(0.95);
    const without = (tall: number) =>
      robustCorrelation(
        u,
        noisy.map((value, at) =>
          at / 28 >= 5 && at / 28 < 5 + tall && at % 28 >= 14 && at % 28 < 14 + tall ? -value : value,
        ),
        28,
      );
    expect(without(10)).toBeGreaterThan(0.95);
    expect(without(20)).toBeLessThan(0.8);
  });

  it('takes pictures that are smaller than a part that could be covered', () => {
    expect(robustCorrelation(u.slice(0, 4), u.slice(0, 4), 2)).toBeCloseTo(1, 6);
  });
});
