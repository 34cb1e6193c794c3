/** Against scipy 1.17, norm and truncnorm: test/reference/tpe.py. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logMass, truncatedQuantile } from '../../src/core/truncatedNormal.js';
import reference from '../reference/tpe.json' with { type: 'json' };

const { logMass: masses, truncated } = reference.normals;

/** Equal but for a small part of itself. */
const near = (got: number, expected: number, part = 1e-12) => Math.abs(got - expected) <= part * Math.abs(expected);

describe('the truncated normal distribution', () => {
  it('has the log probabilities of cells, far out and narrow ones too', () => {
    for (const [a, b, expected] of masses) expect([a, b, near(logMass(a, b), expected, 1e-11)]).toEqual([a, b, true]);
    // The density times the width: 2e-7 around 1, and 2e-9 at -30, whose digits a difference of tails has lost.
    expect(logMass(1 - 1e-7, 1 + 1e-7)).toBeCloseTo(-0.5 - 0.5 * Math.log(2 * Math.PI) + Math.log(2e-7), 8);
    expect(logMass(-30 - 1e-9, -30 + 1e-9)).toBeCloseTo(-450 - 0.5 * Math.log(2 * Math.PI) + Math.log(2e-9), 6);
    expect(logMass(1, 1)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('has the quantiles of scipy', () => {
    for (const [a, b, p, quantile] of truncated) {
      expect({ a, b, p, quantile: truncatedQuantile(p, a, b) }).toEqual({
        a,
        b,
        p,
        quantile: expect.closeTo(quantile, 8),
      });
    }
  });

  it('has the same digits in both tails', () => {
    // 1 - 2^-50 is exact.
    const far = truncatedQuantile(2 ** -50, -100, 1);
    expect(far).toBeLessThan(-7.5);
    expect(truncatedQuantile(1 - 2 ** -50, -1, 100)).toBeCloseTo(-far, 10);
  });

  it('gives quantiles within the limits, which their probabilities lead back', () => {
    const limit = fc.double({ min: 0.01, max: 60, noNaN: true });
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(limit, limit, share, (below, b, p) => {
        const z = truncatedQuantile(p, -below, b);
        expect(z >= -below && z <= b).toBe(true);
        expect(z <= -below ? 0 : Math.exp(logMass(-below, z) - logMass(-below, b))).toBeCloseTo(p, 9);
      }),
    );
  });
});
