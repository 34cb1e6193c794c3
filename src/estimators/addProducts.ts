import type { Block } from './denseRows.js';

/** Where products are added: rows of `size` cells, and the place of the first one. */
export interface Corner {
  readonly into: Float64Array;
  readonly size: number;
  readonly row: number;
  readonly column: number;
}

/**
 * Adds the sum over all rows of `weight` times the products of the row's cells (and 1, last, for an intercept): the lower
 * triangle alone. Four rows are taken at a time, because reading and writing the sums costs more than the products.
 */
export function addProducts(
  { into, size, row: fromRow, column: fromColumn }: Corner,
  { data, n, width }: Block,
  weights: Float64Array,
  intercept: boolean,
): void {
  const last = (n - 1) * width;
  for (let row = 0; row < n; row += 4) {
    // Rows beyond the last one count as it with a weight of 0.
    const a = row * width;
    const b = Math.min(a + width, last);
    const c = Math.min(a + 2 * width, last);
    const d = Math.min(a + 3 * width, last);
    const wA = weights[row];
    const wB = row + 1 < n ? weights[row + 1] : 0;
    const wC = row + 2 < n ? weights[row + 2] : 0;
    const wD = row + 3 < n ? weights[row + 3] : 0;
    for (let i = 0; i < width; i++) {
      const to = (fromRow + i) * size + fromColumn;
      const pA = wA * data[a + i];
      const pB = wB * data[b + i];
      const pC = wC * data[c + i];
      const pD = wD * data[d + i];
      for (let j = 0; j <= i; j++) {
        into[to + j] += pA * data[a + j] + pB * data[b + j] + pC * data[c + j] + pD * data[d + j];
      }
    }
    if (!intercept) continue;
    const to = (fromRow + width) * size + fromColumn;
    for (let j = 0; j < width; j++) {
      into[to + j] += wA * data[a + j] + wB * data[b + j] + wC * data[c + j] + wD * data[d + j];
    }
    into[to + width] += wA + wB + wC + wD;
  }
}
