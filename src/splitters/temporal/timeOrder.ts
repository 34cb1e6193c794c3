/** Rows in the order of time, and cuts between times: what the temporal splitters share. */
import { lowerBound } from '../../core/lowerBound.js';
import { type SideData, timesOf } from '../../core/sideData.js';

/** Rows by time. A "place" is a position in that order, 0 ... n. */
export interface TimeOrder {
  readonly n: number;
  /** Row number at each place; rows of one time by row number. */
  readonly rows: Int32Array;
  /** Time at each place, ascending; the place itself where no timestamps were given. */
  readonly times: Float64Array;
  /** True when times are milliseconds since 1970 (UTC), false when their unit is the caller's. */
  readonly dates: boolean;
  /** True when the rows came in the order of time, so that rows at consecutive places ascend already. */
  readonly sorted: boolean;
}

/** The rows by `timestamps`; without them rows are in the order of time already, each at a time of its own. */
export function timeOrder({ timestamps }: SideData, n: number): TimeOrder {
  const rows = new Int32Array(n).map((_, row) => row);
  if (timestamps === undefined) return { n, rows, times: new Float64Array(rows), dates: false, sorted: true };
  const { values, dates } = timesOf(timestamps, n);
  const sorted = values.every((time, row) => row === 0 || time >= values[row - 1]);
  if (sorted) return { n, rows, times: values, dates, sorted };
  const times = values.slice().sort();
  return { n, rows: byTime(values, times), times, dates, sorted };
}

/** Each row at the first free place of its time: a native sort of the times and a search per row beat a comparison sort. */
function byTime(values: Float64Array, times: Float64Array): Int32Array {
  const rows = new Int32Array(values.length);
  const taken = new Int32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const first = lowerBound(times, values[row]);
    rows[first + taken[first]++] = row;
  }
  return rows;
}

/** The first place from `place` on at which a new time begins; n when there is none. Rows of one time stay together. */
export function nextTime({ times, n }: TimeOrder, place: number): number {
  let at = Math.min(Math.max(place, 0), n);
  while (at > 0 && at < n && times[at] === times[at - 1]) at++;
  return at;
}

/** The last place up to `place` at which a time begins. */
export function startOfTime({ times, n }: TimeOrder, place: number): number {
  let at = Math.min(Math.max(place, 0), n);
  while (at > 0 && at < n && times[at] === times[at - 1]) at--;
  return at;
}

/** Rows at the places `from` ... `to - 1`, ascending. */
export function rowsAt({ rows, sorted }: TimeOrder, from: number, to: number): Int32Array {
  const taken = rows.slice(from, to);
  return sorted ? taken : taken.sort();
}
