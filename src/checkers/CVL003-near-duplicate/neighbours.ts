/** The nearest rows of other patients: how far apart rows of these data are. */
import { squaredDistance } from '../features/squaredDistance.js';
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

/**
 * Gives what surrounds a row among the `reference` rows of other patients, `codes`. Rows that are equal count once, and a
 * copy of the row itself not at all: copies tell nothing of how near rows usually are.
 */
export function neighbourhoods(
  reference: Int32Array,
  { data, width }: Pick<NearVectors, 'data' | 'width'>,
  codes: Int32Array | undefined,
): (row: number) => Neighbourhood {
  const unitOf = (row: number) => (codes ? codes[row] : row);
  const n = data.length / width;
  // Few rows of many columns: each pair is measured once.
  const known = reference.length === n && n < width ? new Float64Array(n * n) : undefined;
  const squareOf = (row: number, other: number, enough: number) => {
    if (!known) return squaredDistance(data, width, row, other, enough);
    const pair = row < other ? row * n + other : other * n + row;
    if (known[pair] === 0) known[pair] = squaredDistance(data, width, row, other);
    return known[pair];
  };
  return byRow((row) => {
    const squares: number[] = [];
    const nearest: number[] = [];
    const within: number[] = [];
    for (const other of reference) {
      if (unitOf(other) === unitOf(row)) continue;
      const farthest = squares[NEIGHBOURS - 1] ?? Infinity;
      const square = squareOf(row, other, farthest);
      if (square === 0 || square > farthest) continue;
      within.push(square);
      if (square === farthest) continue;
      const tie = squares.indexOf(square);
      if (tie >= 0 && squaredDistance(data, width, other, nearest[tie]) === 0) continue;
      const own = codes ? nearest.findIndex((each) => codes[each] === codes[other]) : -1;
      if (own >= 0 && squares[own] <= square) continue;
      // In place of the one of that patient, or of the farthest, or behind all; moved one by one, as cutting arrays is slow.
      let place = own >= 0 ? own : Math.min(squares.length, NEIGHBOURS - 1);
      for (; place > 0 && squares[place - 1] > square; place--) {
        squares[place] = squares[place - 1];
        nearest[place] = nearest[place - 1];
      }
      squares[place] = square;
      nearest[place] = other;
    }
    const scale = squares[squares.length - 1];
    const rows = within.filter((square) => square <= scale).length;
    return { row, distances: squares.map(Math.sqrt), nearest, rows };
  });
}

/** Each value is made once; all are forgotten when they are more than that. */
export function byRow<T>(make: (row: number) => T, most = Infinity): (row: number) => T {
  const known = new Map<number, T>();
  return (row) => {
    const found = known.get(row);
    if (found !== undefined) return found;
    if (known.size >= most) known.clear();
    const value = make(row);
    known.set(row, value);
    return value;
  };
}
