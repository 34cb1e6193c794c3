/** The nearest rows of other patients: how far apart rows of these data are. */

import { product, productKernel } from '../features/productKernel.js';
import { squaredDistance } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

export interface Neighbourhood {
  readonly row: number;
  /** Distances of the nearest patients, ascending, each by its nearest row; the last is the scale. */
  readonly distances: readonly number[];
  readonly nearest: readonly number[];
  /** Reference rows within the scale. */
  readonly rows: number;
}

/** The local scale of a row is the distance of its tenth nearest patient: bursts of up to nine copies leave it alone. */
export const NEIGHBOURS = 10;

/** Squared distances below this part of the squares of both rows are computed anew, cell by cell: the rest is rounding. */
const CLOSE = 1e-6;

/**
 * Gives what surrounds a row among the `reference` rows of other patients, `codes`. Rows that are equal count once, and a
 * copy of the row itself not at all: copies tell nothing of how near rows usually are.
 */
export function neighbourhoods(
  reference: Int32Array,
  { data, width }: Pick<NearVectors, 'data' | 'width'>,
  codes: Int32Array | undefined,
): (row: number) => Neighbourhood {
  const rowAt = (row: number) => data.subarray(row * width, (row + 1) * width);
  const kernel = productKernel(reference.length, width);
  reference.forEach((row, at) => {
    kernel.put(at, rowAt(row));
  });
  const sizes = Float64Array.from(reference, (row) => squareOf(rowAt(row)));
  const all = new Float64Array(reference.length);
  return (row) => {
    const own = rowAt(row);
    squaresFrom(kernel.products(own, reference.length), squareOf(own), sizes, all);
    for (let at = 0; at < all.length; at++) {
      if (Number.isNaN(all[at])) all[at] = squaredDistance(data, width, row, reference[at]);
    }
    return nearestOf(row, reference, all, { data, width }, codes);
  };
}

function squareOf(row: Float32Array): number {
  const own = Float64Array.from(row);
  return product(own, 0, own, 0, own.length);
}

/** Squared distances by products, which take fewer steps than differences; NaN where these are mostly rounding. */
function squaresFrom(products: Float64Array, square: number, squares: Float64Array, all: Float64Array): void {
  for (let at = 0; at < all.length; at++) {
    const both = square + squares[at];
    const distance = both - 2 * products[at];
    all[at] = distance > CLOSE * both ? distance : Number.NaN;
  }
}

function nearestOf(
  row: number,
  reference: Int32Array,
  all: Float64Array,
  { data, width }: Pick<NearVectors, 'data' | 'width'>,
  codes: Int32Array | undefined,
): Neighbourhood {
  const unit = codes ? codes[row] : row;
  const squares: number[] = [];
  const nearest: number[] = [];
  let farthest = Infinity;
  for (let at = 0; at < reference.length; at++) {
    const square = all[at];
    const other = reference[at];
    if (square === 0 || (codes ? codes[other] : other) === unit) all[at] = Infinity;
    else if (square < farthest) {
      const tie = squares.indexOf(square);
      if (tie >= 0 && squaredDistance(data, width, other, nearest[tie]) === 0) continue;
      const known = codes ? placeOf(codes[other], nearest, codes) : -1;
      if (known >= 0 && squares[known] <= square) continue;
      // Instead of the one of that patient, or of the farthest, or behind all; moved one by one, as cutting arrays is slow.
      let place = known >= 0 ? known : Math.min(squares.length, NEIGHBOURS - 1);
      for (; place > 0 && squares[place - 1] > square; place--) {
        squares[place] = squares[place - 1];
        nearest[place] = nearest[place - 1];
      }
      squares[place] = square;
      nearest[place] = other;
      if (squares.length === NEIGHBOURS) farthest = squares[NEIGHBOURS - 1];
    }
  }
  const scale = squares[squares.length - 1];
  let rows = 0;
  for (let at = 0; at < all.length; at++) if (all[at] <= scale) rows++;
  return { row, distances: squares.map(Math.sqrt), nearest, rows };
}

function placeOf(code: number, rows: readonly number[], codes: Int32Array): number {
  for (let at = 0; at < rows.length; at++) if (codes[rows[at]] === code) return at;
  return -1;
}
