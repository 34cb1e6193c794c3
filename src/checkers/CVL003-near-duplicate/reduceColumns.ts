/** Few rows of many columns: the same points in as many columns as rows. */

import { productKernel } from '../features/productKernel.js';
import type { Points } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

/** With more rows the product of all pairs takes longer than it saves. */
const MOST_ROWS = 500;
/** Of the square of a row so much is rounding. */
const ROUNDING = 1e-10;

/** The vectors turned so that they have no more continuous columns than rows, and no more others. */
export function reduceColumns(vectors: NearVectors): NearVectors {
  const { n, data, width, continuous } = vectors;
  if (n > MOST_ROWS || width <= 2 * n) return vectors;
  const columns = (from: number, to: number): Points => {
    const part = new Float32Array(n * (to - from));
    for (let row = 0; row < n; row++) part.set(data.subarray(row * width + from, row * width + to), row * (to - from));
    return gramRoot({ data: part, width: to - from });
  };
  const [numbers, others] = [columns(0, continuous), columns(continuous, width)];
  const total = numbers.width + others.width;
  const joined = new Float32Array(n * total);
  for (let row = 0; row < n; row++) {
    for (const [part, at] of [
      [numbers, 0],
      [others, numbers.width],
    ] as const) {
      joined.set(part.data.subarray(row * part.width, (row + 1) * part.width), row * total + at);
    }
  }
  return { ...vectors, data: joined, width: total, continuous: numbers.width };
}

/**
 * Points with the same distances in as many columns as there are rows: rows of L, where L L' is the product of all pairs
 * of rows (Cholesky). Rows that are equal stay equal.
 */
export function gramRoot(points: Points): Points {
  const { data, width } = points;
  const n = data.length / width;
  // Also without any column.
  if (!(width > n)) return points;
  const lower = products(points);
  const squares = Float64Array.from({ length: n }, (_, row) => lower[row * n + row]);
  for (let row = 0; row < n; row++) {
    const from = row * n;
    // The product of equal rows is the square of each.
    const same = squares.findIndex((square, at) => at < row && square === squares[row] && lower[from + at] === square);
    if (same >= 0) {
      lower.copyWithin(from, same * n, same * n + row + 1);
      continue;
    }
    for (let at = 0; at <= row; at++) {
      let rest = lower[from + at];
      for (let k = 0; k < at; k++) rest -= lower[from + k] * lower[at * n + k];
      const pivot = lower[at * n + at];
      if (at === row) lower[from + at] = rest > ROUNDING * squares[row] ? Math.sqrt(rest) : 0;
      else lower[from + at] = pivot > 0 ? rest / pivot : 0;
    }
  }
  return { data: Float32Array.from(lower), width: n };
}

/** Columns that are multiplied at a time. */
const TILE = 1024;

/** The products of all pairs of rows, the lower triangle of `[n, n]`. */
function products({ data, width }: Points): Float64Array {
  const n = data.length / width;
  const out = new Float64Array(n * n);
  const kernel = productKernel(n, TILE);
  const part = new Float64Array(TILE);
  for (let from = 0; from < width; from += TILE) {
    for (let row = 0; row < n; row++) {
      part.fill(0).set(data.subarray(row * width + from, row * width + Math.min(width, from + TILE)));
      kernel.put(row, part);
      const found = kernel.products(part, row + 1);
      for (let other = 0; other <= row; other++) out[row * n + other] += found[other];
    }
  }
  return out;
}
