import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { lowerBound } from '../../core/lowerBound.js';
import { type SideData, timesOf } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import type { Fold } from '../splitter.js';

/** Rows by time. A "place" is a position in that order, 0 ... n. */
export interface TimeOrder {
  readonly n: number;
  /** Row number at each place; rows of one time by row number. */
  readonly rows: Int32Array;
  /** Time at each place, ascending; the place itself where no timestamps were given. */
  readonly times: Float64Array;
  /** True when times are milliseconds since 1970 (UTC), false when their unit is the caller's. */
  readonly dates: boolean;
  /** True when the rows came in the order of time, so that consecutive places hold ascending rows. */
  readonly sorted: boolean;
}

/** Without `timestamps` rows are in the order of time, each at a time of its own. */
export function timeOrder({ timestamps }: SideData, n: number): TimeOrder {
  const rows = new Int32Array(n).map((_, row) => row);
  if (timestamps === undefined) return { n, rows, times: new Float64Array(rows), dates: false, sorted: true };
  const { values, dates } = timesOf(timestamps, n);
  const sorted = values.every((time, row) => row === 0 || time >= values[row - 1]);
  if (sorted) return { n, rows, times: values, dates, sorted };
  const times = values.slice().sort();
  return { n, rows: byTime(values, times), times, dates, sorted };
}

/** A native sort of the times and a search per row beat a comparison sort. */
function byTime(values: Float64Array, times: Float64Array): Int32Array {
  const rows = new Int32Array(values.length);
  const taken = new Int32Array(values.length);
  for (let row = 0; row < values.length; row++) {
    const first = lowerBound(times, values[row]);
    rows[first + taken[first]++] = row;
  }
  return rows;
}

/** The first place from `place` on at which a new time begins; n when there is none. */
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

/**
 * The places at which the test sets of forward chaining begin, and n: the last `nSplits * nTest` rows, each cut moved
 * on to the next distinct time.
 */
export function forwardCuts(owner: string, order: TimeOrder, nSplits: number, nTest: number): number[] {
  const { n } = order;
  if (nSplits >= n) {
    const must = `be less than the number of rows, ${n}`;
    throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${owner}`, must, nSplits));
  }
  return Array.from({ length: nSplits + 1 }, (_, fold) => nextTime(order, n - (nSplits - fold) * nTest));
}

/** One fold in places: `trainStart` ... `trainEnd - 1` train, `testStart` ... `testEnd - 1` test, the gap between. */
export interface TimeWindow {
  readonly trainStart: number;
  readonly trainEnd: number;
  readonly testStart: number;
  readonly testEnd: number;
}

/** The rows of the gap are `excluded.purged`. */
export function* foldsFromWindows(order: TimeOrder, windows: readonly TimeWindow[]): Generator<Fold> {
  for (const [fold, { trainStart, trainEnd, testStart, testEnd }] of windows.entries()) {
    yield {
      id: foldId(fold),
      train: rowsAt(order, trainStart, trainEnd),
      test: rowsAt(order, testStart, testEnd),
      ...(trainEnd < testStart ? { excluded: { purged: rowsAt(order, trainEnd, testStart) } } : {}),
    };
  }
}

/** "12 rows", or "12 rows at 3 distinct times" where times are shared. */
export function amountOf({ n, times }: TimeOrder): string {
  const distinct = times.reduce((count, time, at) => (at > 0 && time === times[at - 1] ? count : count + 1), 0);
  return distinct < n ? `${n} rows at ${distinct} distinct time${distinct === 1 ? '' : 's'}` : `${n} rows`;
}
