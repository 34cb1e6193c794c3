import { describe, expect, it } from 'vitest';
import { robustCorrelation } from '../../../../src/checkers/CVL003-near-duplicate/pictures/registeredPairs.js';
import { randomSource } from '../../../../src/core/random.js';
import { normal } from '../normal.js';

const random = randomSource(5);
const u = Float32Array.from({ length: 784 }, () => normal(random));

describe('robustCorrelation', () => {
  it('is 1 for copies and negatives, about 0 for others, and 0 for a constant', () => {
    expect(robustCorrelation(u, u)).toBeCloseTo(1);
    expect(
      robustCorrelation(
        u,
        u.map((value) => -2 * value),
      ),
    ).toBeCloseTo(1, 6);
    expect(
      robustCorrelation(
        u,
        u.map(() => normal(random)),
      ),
    ).toBeLessThan(0.15);
    expect(robustCorrelation(u, new Float32Array(784))).toBe(0);
  });

  it('leaves out what is not seen, single places, and most of a part that is covered, but no half', () => {
    const random = randomSource(6);
    const noisy = u.map((value) => value + 0.2 * normal(random));
    const odd = noisy.map((value, at) => (at % 40 === 0 ? 9 : at % 41 === 0 ? Number.NaN : value));
    expect(robustCorrelation(u, odd)).toBeGreaterThan(0.95);
    // Places that happen to be like those under the cover count.
    const under = u.map(() => normal(random));
    const covered = (side: number) =>
      robustCorrelation(
        u,
        u.map((value, at) => {
          const [y, x] = [Math.floor(at / 28), at % 28];
          const isCovered = y >= 8 && y < 8 + side && x >= 8 && x < 8 + side;
          return isCovered ? under[at] : value + 0.1 * under[at];
        }),
      );
    expect(covered(12)).toBeGreaterThan(0.975);
    expect(covered(20)).toBeLessThan(0.9);
  });
});
