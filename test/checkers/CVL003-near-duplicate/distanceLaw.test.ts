import { describe, expect, it } from 'vitest';
import { distanceLaw, logLowerTail } from '../../../src/checkers/CVL003-near-duplicate/distanceLaw.js';
import reference from '../../reference/nearDuplicates.json' with { type: 'json' };

/** Relative error that the docstring names. */
const errorOf = (p: number) => (p >= 16 ? 0.01 : p >= 4 ? 0.035 : 0.12);

describe('logLowerTail', () => {
  it('is near the chi-squared distribution for equal weights (scipy)', () => {
    for (const { p, part, log } of reference.equal) {
      const ours = logLowerTail(new Float64Array(p).fill(1), p * part);
      expect(Math.abs(Math.expm1(ours - log)), `${p} at ${part}`).toBeLessThan(errorOf(p));
    }
  });

  it('takes dimensions that are no whole number (scipy)', () => {
    for (const { p, part, log } of reference.between) {
      const ours = logLowerTail([1], p * part, p);
      expect(Math.abs(Math.expm1(ours - log)), `${p} at ${part}`).toBeLessThan(errorOf(p));
    }
  });

  it('is near the sum of two exponential variables for weights in pairs (closed form)', () => {
    for (const { x, log } of reference.mixed.points) {
      expect(Math.abs(Math.expm1(logLowerTail(reference.mixed.weights, x) - log))).toBeLessThan(0.08);
    }
  });
});

describe('distanceLaw', () => {
  // Two rows with one feature of variance 1 are t apart or less with probability erf(t / 2).
  it('gives ratios of a line in one dimension, and of a square in two, at small distances', () => {
    const [one, two] = [distanceLaw([1]), distanceLaw([1, 1])];
    for (const t of [1e-12, 1e-9, 1e-6, 1e-3]) {
      expect(one.logAt(2 * t) - one.logAt(t)).toBeCloseTo(Math.log(2), 2);
      expect(two.logAt(2 * t) - two.logAt(t)).toBeCloseTo(2 * Math.log(2), 2);
    }
  });

  it('counts every distance above the typical one as that, and none as impossible', () => {
    const law = distanceLaw([1, 1, 1]);
    expect(law.logAt(100)).toBe(law.logAt(3));
    expect(law.logAt(100)).toBeLessThan(0);
    expect(law.logAt(0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('turns a probability into its distance', () => {
    const law = distanceLaw([3, 1, 0.2]);
    for (const t of [1e-12, 1e-7, 0.01, 0.5, 2]) expect(law.distanceAt(law.logAt(t)) / t).toBeCloseTo(1, 9);
  });
});
