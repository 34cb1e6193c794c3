import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { NormalStream, portableExp, portableLogistic } from '../../src/datasets/portableMath.js';
import reference from '../reference/generators.json' with { type: 'json' };

/** Distance in units of the expected value. */
const off = (got: number, expected: number) => Math.abs(got - expected) / Math.abs(expected);

describe('portableExp', () => {
  it('is the exponential function, as Math.exp is', () => {
    const range = fc.double({ min: -700, max: 700, noNaN: true });
    fc.assert(
      fc.property(range, (x) => off(portableExp(x), Math.exp(x)) < 5e-16),
      { numRuns: 5000 },
    );
  });

  it('is exact at 0, and stays finite', () => {
    expect(portableExp(0)).toBe(1);
    expect(portableExp(-1e9)).toBeGreaterThan(0);
    expect(portableExp(1e9)).toBeLessThan(Infinity);
  });
});

it('portableLogistic is one half at 0, and its parts add up to 1', () => {
  expect(portableLogistic(0)).toBe(0.5);
  for (const x of [-30, -2, 0.3, 8]) expect(portableLogistic(x) + portableLogistic(-x)).toBeCloseTo(1, 15);
});

describe('NormalStream', () => {
  // Expected numbers: NumPy's RandomState(seed).normal(), written by test/reference/generators.py.
  it.each(reference.normals)('gives the normal numbers of NumPy for seed $seed', ({ seed, values }) => {
    const normals = new NormalStream(randomSource(seed));
    for (const value of values) expect(off(normals.next(), value)).toBeLessThan(1e-15);
  });

  it('has the moments of a standard normal variable', () => {
    const normals = new NormalStream(randomSource(3));
    const n = 200_000;
    const sums = [0, 0, 0, 0];
    for (let i = 0; i < n; i++) {
      const z = normals.next();
      for (let k = 0; k < 4; k++) sums[k] += z ** (k + 1) / n;
    }
    // Four standard errors: the variances of z, z^2, z^3 and z^4 are 1, 2, 15 and 96.
    [0, 1, 0, 3].forEach((expected, k) => {
      expect(Math.abs(sums[k] - expected)).toBeLessThan(4 * Math.sqrt([1, 2, 15, 96][k] / n));
    });
  });
});
