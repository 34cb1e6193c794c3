import { counted, wholeNumber } from '../../core/format.js';
import { MILLISECONDS_PER_DAY, timesWhereKnown } from '../../data/sideData.js';
import { type Check, notApplicable, passed, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { saysTime } from '../features/nameWords.js';
import { suspicionOf } from '../features/suspects.js';
import { openQuestion } from '../openQuestion.js';
import { EXAMPLES, inFolds, type SplitExample } from '../overlap.js';

/** What CVL004 counted: training rows that are not known before the first test row of their fold. */
export type TemporalDetails = {
  readonly trainingRows?: number;
  readonly tied?: number;
  readonly byLabelEnd?: number;
  /** Rows without a time. */
  readonly missing?: number;
  readonly folds: number | readonly string[];
  /** In `unit`: days for dates, else the unit of the timestamps. */
  readonly largestOverlap?: number;
  readonly unit?: 'days' | 'timeUnits';
  readonly examples?: readonly (SplitExample & { readonly days?: number; readonly timeUnits?: number })[];
};

/**
 * CVL004: under a prospective design every training row, and its label, is known before the first test row of its fold.
 * Exact, over every fold; a tie across the cut is not before. Other designs promise no order, so theirs is described.
 *
 * Source: Collins et al. 2024, BMJ 385:e078378 (TRIPOD+AI: temporal validation); Roberts et al. 2017, Ecography 40:913.
 */
export const temporalOrder: Check<TemporalDetails> = {
  code: 'CVL004',
  type: 'temporal',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL004.md',
  description: 'A training row is not earlier than the test rows of its fold, although the design is prospective.',
  needs: ['timestamps'],
  whenMissing: (input) =>
    openQuestion('temporal', input, {
      noun: 'a time',
      columnsIn: (columns) => columns.filter((column) => suspicionOf(column)?.kind === 'time' || saysTime(column.name)),
    }),
  assess(input) {
    const { folds, design } = input;
    const times = knownTimes(input);
    if (!times) {
      const message = 'Timestamps and label end times cannot be compared: the ones are dates, the others numbers.';
      return undecided(message, 'Pass `labelEndTimes` of the same kind as `timestamps`.');
    }
    const late = lateRows(input, times);
    const without =
      times.missing > 0
        ? ` ${wholeNumber(times.missing)} of ${counted(folds.n, 'row')} ${times.missing === 1 ? 'has' : 'have'} no timestamp.`
        : '';
    if (design !== 'prospective') {
      const ask = "Pass `design: 'prospective'` to have the order in time judged.";
      const found = late.rows > 0 ? late.text : 'all training rows are earlier anyway';
      return notApplicable(
        `The design '${design}' does not ask for an order in time: ${found}.${without} ${ask}`,
        late.evidence,
      );
    }
    if (late.rows === 0 && without) {
      const message = `Whether every training row is known before the first test row cannot be told.${without}`;
      return undecided(message, 'Pass the time of each row.', { missing: times.missing, folds: folds.length });
    }
    if (late.rows === 0) {
      const where = folds.length > 1 ? ` of its fold (${folds.length} folds)` : '';
      const message = `Every training row is known before the first test row${where}.`;
      return passed(message, { folds: folds.length });
    }
    return {
      status: 'failed',
      severity: 'high',
      fold: late.folds[0],
      message: `The design is prospective, but ${late.text}.${without}`,
      evidence: late.evidence,
      concerns: late.concerns,
      fix: "Train on earlier rows only: TimeSeriesSplit or ExpandingWindowCV, with a gap where labels are known later. If the order in time does not matter, say so with `design: 'iid'`.",
    };
  },
};

/** A row without a time is never the first and never late: Infinity in `times`, -Infinity in `known` (with its label). */
interface KnownTimes {
  readonly times: Float64Array;
  readonly known: Float64Array;
  readonly dates: boolean;
  readonly missing: number;
}

function knownTimes({ data: { timestamps, labelEndTimes }, folds: { n } }: CheckInput): KnownTimes | undefined {
  const { values, dates } = timesWhereKnown(timestamps as ArrayLike<unknown>, n);
  const ends = labelEndTimes && timesWhereKnown(labelEndTimes, n, 'labelEndTimes');
  if (ends && ends.dates !== dates) return undefined;
  const missing = values.filter(Number.isNaN).length;
  const times = missing > 0 ? values.map((time) => (Number.isNaN(time) ? Infinity : time)) : values;
  if (missing === 0 && !ends) return { times, known: times, dates, missing };
  const known = values.map((time, row) => {
    const end = ends?.values[row] ?? time;
    if (Number.isNaN(time)) return -Infinity;
    return Number.isNaN(end) ? time : Math.max(end, time);
  });
  return { times, known, dates, missing };
}

function lateRows({ folds, rowOf }: CheckInput, { times, known, dates }: KnownTimes) {
  const hit: string[] = [];
  const examples: NonNullable<TemporalDetails['examples']>[number][] = [];
  const unit = dates ? ('days' as const) : ('timeUnits' as const);
  const lengthOf = (time: number) => Math.min(Number.MAX_VALUE, dates ? time / MILLISECONDS_PER_DAY : time);
  let [rows, tied, byLabelEnd, trained, largest] = [0, 0, 0, 0, 0];
  for (const { id, train, test } of folds) {
    const first = test.reduce((a, b) => (times[b] < times[a] ? b : a));
    const start = times[first];
    trained += train.length;
    const late = train.filter((row) => known[row] >= start);
    if (late.length === 0) continue;
    rows += late.length;
    tied += late.filter((row) => times[row] === start).length;
    byLabelEnd += late.filter((row) => times[row] < start).length;
    hit.push(id);
    const latest = late.reduce((a, b) => (known[b] > known[a] ? b : a));
    const overlap = lengthOf(known[latest] - start);
    largest = Math.max(largest, overlap);
    if (examples.length < EXAMPLES)
      examples.push({ fold: id, train: rowOf(latest), test: rowOf(first), [unit]: overlap });
  }
  const by =
    largest > 0
      ? `, by up to ${Number(largest.toPrecision(3))} ${dates ? 'days' : 'in the unit of the timestamps'}`
      : '';
  const parts = [
    tied > 0 ? `${tied} at the very time of that row` : '',
    byLabelEnd > 0 ? `${byLabelEnd} whose label is known later` : '',
  ].filter(Boolean);
  const detail = parts.length > 0 ? ` (${parts.join(', ')})` : '';
  const [counts, whose] = folds.length > 1 ? [' (a row counts in each fold)', ' of the fold'] : ['', ''];
  return {
    rows,
    folds: hit,
    concerns: { count: rows, of: trained, unit: 'training row' },
    text: `${wholeNumber(rows)} of ${counted(trained, 'training row')}${counts} ${rows === 1 ? 'is' : 'are'} not known before the first test row${whose}${inFolds(hit.length, { folds })}${by}${detail}`,
    evidence: {
      trainingRows: rows,
      tied,
      byLabelEnd,
      folds: hit.slice(0, 10),
      largestOverlap: largest,
      unit,
      examples,
    },
  };
}
