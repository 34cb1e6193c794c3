import { describe, expect, it } from 'vitest';
import { robustCorrelation } from '../../../../src/checkers/CVL003-near-duplicate/pictures/robustCorrelation.js';
import { randomSource } from '../../../../src/core/random.js';
import { normal } from '../normal.js';

const random = randomSource(5);
const u = Float32Array.from({ length: 800 }, () => normal(random));

describe('robustCorrelation', () => {
  it('is 1 for copies and negatives, about 0 for others, and 0 for a constant', () => {
    expect(robustCorrelation(u, u)).toBeCloseTo(1, 6);
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
    expect(robustCorrelation(u, new Float32Array(800))).toBe(0);
  });

  it('leaves out what is not seen, and a part that differs', () => {
    const v = u.map((value, at) => (at < 60 ? 8 : at < 100 ? Number.NaN : value));
    expect(robustCorrelation(u, v)).toBeGreaterThan(0.9);
  });
});
