/** Folds as stretches of the order of time: what the splitters that train on the past and test on what follows share. */
import { foldId } from '../assignment.js';
import type { Fold } from '../splitter.js';
import { rowsAt, type TimeOrder } from './timeOrder.js';

/** One fold in places: `trainStart` ... `trainEnd - 1` train, `testStart` ... `testEnd - 1` test, the gap between. */
export interface TimeWindow {
  readonly trainStart: number;
  readonly trainEnd: number;
  readonly testStart: number;
  readonly testEnd: number;
}

/** The folds of `windows`, each made when it is asked for. The rows of the gap are `excluded.purged`. */
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

/** How much there is to cut, for messages: "12 rows", or "12 rows at 3 distinct times" where times are shared. */
export function amountOf({ n, times }: TimeOrder): string {
  const distinct = times.reduce((count, time, at) => (at > 0 && time === times[at - 1] ? count : count + 1), 0);
  return distinct < n ? `${n} rows at ${distinct} distinct time${distinct === 1 ? '' : 's'}` : `${n} rows`;
}
