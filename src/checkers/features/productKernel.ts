/** A place for rows that others are multiplied with. */
export interface ProductKernel {
  /** Puts a row in its place among the others. */
  put(place: number, row: ArrayLike<number>): void;
  /** The products of a row with the first `count` others. They are overwritten by the next call. */
  products(row: ArrayLike<number>, count: number): Float64Array;
}

/** Products of one row with up to `count` others of `width` numbers each. */
export function productKernel(count: number, width: number): ProductKernel {
  const others = new Float64Array(count * width);
  const own = new Float64Array(width);
  const found = new Float64Array(count);
  return {
    put(place, row) {
      others.set(row, place * width);
    },
    products(row, wanted) {
      own.set(row);
      for (let at = 0; at < wanted; at++) found[at] = product(own, 0, others, at * width, width);
      return found.subarray(0, wanted);
    },
  };
}

/** The product of two rows, from their first numbers on: two sums, which do not wait for each other. */
export function product(a: Float64Array, from: number, b: Float64Array, to: number, width: number): number {
  let even = 0;
  let remainder = 0;
  let k = 0;
  for (; k + 1 < width; k += 2) {
    even += a[from + k] * b[to + k];
    remainder += a[from + k + 1] * b[to + k + 1];
  }
  return (k < width ? even + a[from + k] * b[to + k] : even) + remainder;
}

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
