import fc from 'fast-check';
import { expect, it } from 'vitest';
import { gram, productKernel } from '../../../src/checkers/features/productKernel.js';

it('gives the products of columns, below the diagonal', () => {
  const columns = fc
    .record({ rows: fc.integer({ min: 1, max: 20 }), width: fc.integer({ min: 1, max: 12 }) })
    .chain(({ rows, width }) => {
      const column = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: rows, maxLength: rows });
      return fc.array(column, { minLength: width, maxLength: width });
    });
  fc.assert(
    fc.property(columns, (given) => {
      const width = given.length;
      const products = gram(given.map((column) => Float64Array.from(column)));
      for (let i = 0; i < width; i++) {
        for (let j = 0; j < width; j++) {
          const product = given[i].reduce((sum, value, row) => sum + value * given[j][row], 0);
          expect(products[i * width + j]).toBe(j <= i ? product + 0 : 0);
        }
      }
    }),
  );
  expect(gram([])).toEqual(new Float64Array());
});

it('takes numbers of 32 bits, and rows that are put in the place of others', () => {
  const kernel = productKernel(9, 3);
  for (let at = 0; at < 9; at++) kernel.put(at, Float32Array.of(at, 1, 0));
  kernel.put(8, [5, 5, 5]);
  expect([...kernel.products(Float32Array.of(2, 1, 3), 9)]).toEqual([1, 3, 5, 7, 9, 11, 13, 15, 30]);
});
