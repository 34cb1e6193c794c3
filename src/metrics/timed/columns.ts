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

/** Censoring by the training rows of each fold; without any, by the rows themselves, which then add to the influence. */
export function censoringOf(table: ScoreTable): { readonly columns: Float64Array; readonly own: boolean } {
  const { censoring, classes } = table;
  if (censoring) return { columns: censoring, own: false };
  const { outcomes, weight } = columnsOfTable(table);
  const curve = kaplanMeier(outcomes, weight, 'censoring');
  return { columns: censoringColumns(curve, outcomes.time, classes as readonly number[]), own: true };
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
