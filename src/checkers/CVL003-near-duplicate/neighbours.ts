/** The nearest rows of other patients: how far apart rows of these data are. */
import { squaredDistance } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

/** What surrounds a row. */
export interface Neighbourhood {
  readonly row: number;
  /** Distances of the nearest patients, ascending, each by its nearest row; the last is the scale. */
  readonly distances: readonly number[];
  /** These rows. */
  readonly nearest: readonly number[];
  /** Reference rows within the scale. */
  readonly rows: number;
}

/** The local scale of a row is the distance of its tenth nearest patient: bursts of up to nine copies leave it alone. */
export const NEIGHBOURS = 10;

/**
 * What surrounds `row` among the `reference` rows of other patients, `codes`. Rows that are equal count once, and a copy
 * of the row itself not at all: copies tell nothing of how near rows usually are.
 */
export function neighbourhood(
  row: number,
  reference: Int32Array,
  { data, width }: Pick<NearVectors, 'data' | 'width'>,
  codes: Int32Array | undefined,
): Neighbourhood {
  const unitOf = (each: number) => (codes ? codes[each] : each);
  const squares: number[] = [];
  const nearest: number[] = [];
  const all = new Float64Array(reference.length).fill(Infinity);
  for (let at = 0; at < reference.length; at++) {
    const other = reference[at];
    if (unitOf(other) === unitOf(row)) continue;
    const farthest = squares.length === NEIGHBOURS ? squares[NEIGHBOURS - 1] : Infinity;
    const square = squaredDistance(data, width, row, other, farthest);
    if (square === 0) continue;
    all[at] = square;
    if (square >= farthest) continue;
    const tie = squares.indexOf(square);
    if (tie >= 0 && squaredDistance(data, width, other, nearest[tie]) === 0) continue;
    const known = codes ? nearest.findIndex((each) => codes[each] === codes[other]) : -1;
    if (known >= 0 && squares[known] <= square) continue;
    const gone = known >= 0 ? known : squares.length === NEIGHBOURS ? NEIGHBOURS - 1 : -1;
    if (gone >= 0) {
      squares.splice(gone, 1);
      nearest.splice(gone, 1);
    }
    let place = squares.length;
    while (place > 0 && squares[place - 1] > square) place--;
    squares.splice(place, 0, square);
    nearest.splice(place, 0, other);
  }
  const scale = squares[squares.length - 1];
  let rows = 0;
  for (const square of all) if (square <= scale) rows++;
  return { row, distances: squares.map(Math.sqrt), nearest, rows };
}
