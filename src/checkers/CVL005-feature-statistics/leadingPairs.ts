import type { UnitTable } from '../shift/unitTable.js';

/** Of more pairs those whose means go together most: products that are added up, and pairs in any case. */
const MOST = { cells: 5e5, pairs: 1000 };
/** Of more features the first: products for the correlations of all units. */
const WORK = 1e8;

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
  const looked = all <= most ? places : places.slice(0, Math.floor(Math.sqrt((2 * WORK) / count)));
  const pairs: { pair: [number, number]; size: number }[] = [];
  const columns = looked.map((place) => {
    const column = new Float64Array(count);
    for (let unit = 0, at = place; unit < count; unit++, at += variables.length) column[unit] = data[at];
    return column;
  });
  for (let a = 0; a < looked.length; a++) {
    for (let b = a + 1; b < looked.length; b++) {
      const pair: [number, number] = [looked[a], looked[b]];
      pairs.push({ pair, size: all <= most ? 0 : Math.abs(product(columns[a], columns[b])) });
    }
  }
  if (all > most) pairs.sort((a, b) => b.size - a.size);
  return { pairs: pairs.slice(0, most).map(({ pair }) => pair), of: all };
}

function product(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
