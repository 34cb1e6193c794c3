import { censoringColumns } from '../../survival/ipcw.js';
import { kaplanMeier } from '../../survival/kaplanMeier.js';
import { ofCause, type TimedOutcomes } from '../../survival/outcomes.js';
import type { ScoreTable } from '../scoreTable.js';

/** The parts of a score table that metrics of outcomes by time read. */
export interface TimedColumns {
  readonly outcomes: TimedOutcomes;
  /** Events of the cause of interest, all others censored at their time. */
  readonly ofCause: TimedOutcomes;
  /** The cause of interest where there are events of others, else null. */
  readonly cause: number | null;
  readonly weight: Float64Array | null;
  readonly times: readonly number[];
}

/** Resamples share their arrays. */
const known = new WeakMap<Int32Array, Pick<TimedColumns, 'outcomes' | 'ofCause' | 'cause'>>();

export function columnsOfTable({ yTrue, event, positive, weight, classes }: ScoreTable): TimedColumns {
  const [time, events] = [yTrue as Float64Array, event as Int32Array];
  let found = known.get(events);
  if (found?.outcomes.time !== time) {
    const outcomes = { time, event: events };
    const competing = events.some((each) => each !== 0 && each !== positive);
    found = {
      outcomes,
      ofCause: competing ? ofCause(outcomes, positive) : outcomes,
      cause: competing ? positive : null,
    };
    known.set(events, found);
  }
  return { ...found, weight: weight ?? null, times: classes as readonly number[] };
}

/**
 * Censoring by the training rows of each fold, `[n, 1 + places]`: before the time of the row, and at some of the times. Without
 * it, by the rows themselves (`own`), which then add to the influence.
 */
export function censoringAt(
  table: ScoreTable,
  places: readonly number[],
): { readonly columns: Float64Array; readonly own: boolean } {
  const { outcomes, weight, times } = columnsOfTable(table);
  if (table.censoring) {
    const columns = columnsOf(table.censoring, times.length + 1, [0, ...places.map((place) => place + 1)]);
    return { columns, own: false };
  }
  const curve = kaplanMeier(outcomes, weight, 'censoring');
  const at = places.map((place) => times[place]);
  return { columns: censoringColumns(curve, outcomes.time, at), own: true };
}

/** Some columns of a row-major table. */
export function columnsOf(values: Float64Array, width: number, places: readonly number[]): Float64Array {
  const n = values.length / width;
  const out = new Float64Array(n * places.length);
  for (let row = 0; row < n; row++) {
    for (let j = 0; j < places.length; j++) out[row * places.length + j] = values[row * width + places[j]];
  }
  return out;
}
