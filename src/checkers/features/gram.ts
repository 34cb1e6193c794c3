import { productKernel } from './productKernel.js';

/** The products of columns of equal length with each other, `[width, width]` row-major: the lower triangle, 0 above. */
export function gram(columns: readonly Float64Array[]): Float64Array {
  const width = columns.length;
  const products = new Float64Array(width * width);
  const kernel = productKernel(width, columns[0]?.length ?? 0);
  columns.forEach((column, at) => {
    kernel.put(at, column);
    products.set(kernel.products(column, at + 1), at * width);
  });
  return products;
}
