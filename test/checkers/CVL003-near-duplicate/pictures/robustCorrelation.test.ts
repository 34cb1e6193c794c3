import { describe, expect, it } from 'vitest';
import { robustCorrelation } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
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
    // Single places that happen to be like those under the cover would count.
    const under = u.map(() => normal(random));
    const covered = (side: number) =>
      robustCorrelation(
        u,
        u.map((value, at) => {
          const [y, x] = [Math.floor(at / 28), at % 28];
          const isCovered = y >= 8 && y < 8 + side && x >= 8 && x < 8 + side;
          return isCovered ? under[at] : value + 0.1 * under[at];
        }),
        28,
      );
    expect(covered(12)).toBeGreaterThan(0.99);
    expect(covered(20)).toBeLessThan(0.9);
  });

  it('takes pictures that are smaller than a part that could be covered', () => {
    expect(robustCorrelation(u.slice(0, 4), u.slice(0, 4), 2)).toBeCloseTo(1, 6);
  });
});
