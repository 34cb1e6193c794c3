import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { listOfColumn } from './lists.js';

/** An outcome by time as a caller writes it. */
export interface TimedLabel {
  /** Follow-up, above 0. */
  readonly time: number;
  /** 0 censored at that time; 1 the event; other whole numbers are competing events. */
  readonly event: number;
}

/** Probabilities that change at ascending `times` and are constant from each to the next; 1 before the first. */
export interface StepCurve {
  readonly times: Float64Array;
  readonly survival: Float64Array;
}

/** What is known of outcomes by time beside the rows. */
export interface TimedFacts {
  /** Times that answers are about, ascending: a score at a time has it in its name. */
  readonly horizons: readonly number[];
  /** Kaplan-Meier curve of being censored, of the training rows of a fold. */
  readonly censoring?: StepCurve;
}

const FORMS = "Give { time, event } as columns or records, rows of [time, event], or texts as '12.3' and '12.3+'.";
const TEXT = /^(\d+(?:\.\d*)?(?:e[+-]?\d+)?) ?(\+?)$/i;

/** Times and events of `y`; undefined where it has none and the task does not say so (`named`). */
export function timedColumns(y: unknown, named: boolean, name: string) {
  const list = isList(y) ? y : undefined;
  const first = Object(list ? list[0] : y);
  if (!named && !('time' in first && 'event' in first)) {
    if (!('time' in first)) return undefined;
    const must = 'have an `event` beside its `time`';
    throw new InvalidDataError(sentence(name, must, phrase('none'), FORMS), { code: 'invalid_outcome' });
  }
  const [time, event] = list ? [] : [listOfColumn(first.time), listOfColumn(first.event)];
  const n = list?.length ?? time?.length ?? 0;
  if (event && event.length !== n) {
    throw new InvalidDataError(
      sentence(`${name}.event`, `have ${n} values, as its time has`, phrase(String(event.length))),
    );
  }
  if (n === 0) throw new InvalidDataError(sentence(name, 'have at least one value', phrase('none')));
  const [numbers, codes] = [new Float64Array(n), new Int32Array(n)];
  for (let row = 0; row < n; row++) {
    const cell = list ? asPair(list[row]) : { time: time?.[row], event: event?.[row] };
    const refuse = (what: string, must: string, got: unknown, way: string) =>
      new InvalidDataError(sentence(`${what}${name} row ${row}`, must, kindOf(got), way), { code: 'invalid_outcome' });
    if (!cell) throw refuse('', 'have a time and an event', list?.[row], FORMS);
    numbers[row] = numberOf(cell.time);
    const what = numberOf(typeof cell.event === 'boolean' ? Number(cell.event) : cell.event);
    if (!(numbers[row] > 0 && numbers[row] < Infinity)) {
      throw refuse('The time of ', 'be above 0', cell.time, 'Count from the start of follow-up, or leave the row out.');
    }
    if (!Number.isInteger(what) || what < 0) {
      const way = 'Use 0 for censored, 1 for the event, and 2, 3, ... for competing events.';
      throw refuse('The event of ', 'be a whole number from 0 on', cell.event, way);
    }
    codes[row] = what;
  }
  return { numbers, codes };
}

function asPair(cell: unknown): Record<keyof TimedLabel, unknown> | undefined {
  if (isList(cell)) return cell.length === 2 ? { time: cell[0], event: cell[1] } : undefined;
  const text = typeof cell === 'string' && TEXT.exec(cell.trim());
  if (text) return { time: Number(text[1]), event: text[2] ? 0 : 1 };
  return typeof cell === 'object' && cell ? (cell as TimedLabel) : undefined;
}
