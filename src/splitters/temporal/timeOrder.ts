/** Rows in the order of time, and cuts between times: what the temporal splitters share. */
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
}

/** The rows by `timestamps`; without them rows are in the order of time already, each at a time of its own. */
export function timeOrder({ timestamps }: SideData, n: number): TimeOrder {
  const rows = Int32Array.from({ length: n }, (_, row) => row);
  if (timestamps === undefined) return { n, rows, times: Float64Array.from(rows), dates: false };
  const { values, dates } = timesOf(timestamps, n);
  if (values.some((time, row) => row > 0 && time < values[row - 1])) {
    rows.sort((a, b) => values[a] - values[b] || a - b);
  }
  return { n, rows, times: Float64Array.from(rows, (row) => values[row]), dates };
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
export function rowsAt({ rows }: TimeOrder, from: number, to: number): Int32Array {
  return rows.slice(from, to).sort();
}
