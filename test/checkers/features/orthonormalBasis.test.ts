import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot, OrthonormalBasis } from '../../../src/checkers/features/orthonormalBasis.js';

const vector = (...values: number[]) => Float64Array.from(values);

describe('Span', () => {
  it('gives what no sum of multiples gives', () => {
    const span = new OrthonormalBasis([vector(1, 1, 0, 0), vector(0, 1, 1, 0)]);
    // 2 a + 3 b, and what is at a right angle to both.
    expect(Math.max(...span.rest(vector(2, 5, 3, 0)).map(Math.abs))).toBeLessThan(1e-15);
    expect([...span.rest(vector(1, -1, 1, 7))].map((value) => Math.round(value * 1e12) / 1e12)).toEqual([1, -1, 1, 7]);
  });

  it('takes in only what is new, and changes nothing that it is given', () => {
    const given = [vector(1e9, 1e9 + 1), vector(2e9, 2e9 + 2), vector(0, 0), vector(0, 1)];
    const copies = given.map((each) => each.slice());
    expect(new OrthonormalBasis(given).basis).toHaveLength(2);
    expect(given).toEqual(copies);
    for (const size of [1e-300, 1e300])
      expect(new OrthonormalBasis([vector(size, 0), vector(size, size)]).basis).toHaveLength(2);
  });

  it('has an orthonormal basis, however alike the vectors are', () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(numbers, numbers, numbers, fc.constantFrom(1, 1e-4, 1e-8), (a, b, c, size) => {
        const near = a.map((value, at) => value + size * b[at]);
        const { basis } = new OrthonormalBasis([a, near, c].map((each) => Float64Array.from(each)));
        for (const [i, p] of basis.entries()) {
          for (const [j, q] of basis.entries()) expect(Math.abs(dot(p, q) - Number(i === j))).toBeLessThan(1e-10);
        }
      }),
    );
  });
});
