import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { plainProducts, product, productKernel, simdProducts } from '../../../src/checkers/features/productKernel.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const rowsOf = (seed: number, count: number, width: number) => {
  const random = randomSource(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: width }, () => normal(random)));
};

describe.each([
  ['simdProducts', simdProducts],
  ['plainProducts', plainProducts],
])('%s', (_, make) => {
  it('gives the products of a row with the first others', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 40 }), (seed, count, width) => {
        const [own, ...others] = rowsOf(seed, count + 1, width);
        const kernel = make(count, width)!;
        others.forEach((row, at) => {
          kernel.put(at, row);
        });
        for (const wanted of [0, 1, count]) {
          const found = kernel.products(own, wanted);
          expect(found.length).toBe(wanted);
          found.forEach((value, at) => {
            const expected = own.reduce((sum, each, k) => sum + each * others[at][k], 0);
            expect(value).toBeCloseTo(expected, 10);
          });
        }
      }),
    );
  });

  it('takes numbers of 32 bits, and rows that are put in the place of others', () => {
    const kernel = make(9, 3)!;
    for (let at = 0; at < 9; at++) kernel.put(at, Float32Array.of(at, 1, 0));
    kernel.put(8, [5, 5, 5]);
    expect([...kernel.products(Float32Array.of(2, 1, 3), 9)]).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 30]);
  });
});

it('is the same to the last bit with and without SIMD, and that of the row with itself', () => {
  const rows = rowsOf(7, 21, 33);
  const [quick, plain] = [simdProducts(21, 33)!, plainProducts(21, 33)];
  rows.forEach((row, at) => {
    quick.put(at, row);
    plain.put(at, row);
  });
  for (const [at, row] of rows.entries()) {
    const found = [...quick.products(row, 21)];
    expect(found).toEqual([...plain.products(row, 21)]);
    expect(found[at]).toBe(product(row, 0, row, 0, 33));
  }
});

it('needs no SIMD', () => {
  vi.stubGlobal('WebAssembly', undefined);
  expect(simdProducts(2, 2)).toBeUndefined();
  const kernel = productKernel(2, 2);
  kernel.put(1, [3, 4]);
  expect([...kernel.products([1, 2], 2)]).toEqual([0, 11]);
});
