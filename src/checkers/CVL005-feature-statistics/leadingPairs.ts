import { sortedRows } from '../../metrics/rocPlacements.js';
import { gram } from '../features/productKernel.js';
import { columnAt, type UnitTable } from '../shift/unitTable.js';

/** Of more pairs those whose means go together most: products that are added up, and pairs in any case. */
const MOST = { cells: 5e5, pairs: 1000 };
/** Of more features the first: products for the correlations of all units. */
const WORK = 3e7;

/** Pairs of variables, with how many there are. */
export interface LeadingPairs {
  readonly pairs: readonly (readonly [number, number])[];
  readonly of: number;
}

/**
 * All pairs of the variables at `places` of the table, or those with the largest correlation over all units. That does
 * not change when units change places, so the choice leaves a permutation test valid.
 */
export function leadingPairs({ count, variables, data }: UnitTable, places: readonly number[]): LeadingPairs {
  const all = (places.length * (places.length - 1)) / 2;
  const most = Math.min(MOST.pairs, Math.floor(MOST.cells / count));
  if (all <= most) return { pairs: pairsOf(places), of: all };
  const looked = places.slice(0, Math.floor(Math.sqrt((2 * WORK) / count)));
  const products = gram(looked.map((place) => columnAt(data, place, variables.length)));
  const pairs = pairsOf(looked);
  const order = descending(sizesOf(products, looked.length));
  return { pairs: Array.from(order.subarray(0, most), (at) => pairs[at]), of: all };
}

/** The size of the product of each pair, in the order of the pairs. */
function sizesOf(products: Float64Array, width: number): Float64Array {
  const sizes = new Float64Array((width * (width - 1)) / 2);
  let at = 0;
  for (let a = 0; a < width; a++) for (let b = a + 1; b < width; b++) sizes[at++] = Math.abs(products[b * width + a]);
  return sizes;
}

/** Places by descending value; ties in order. */
const descending = (values: Float64Array) => sortedRows(values.map((value) => -value));

const pairsOf = (places: readonly number[]) =>
  places.flatMap((a, at) => places.slice(at + 1).map((b): [number, number] => [a, b]));
