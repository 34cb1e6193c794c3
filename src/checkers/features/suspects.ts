/** What a column looks like by its values and its name alone. */
import type { Column } from './columns.js';
import { nameWords } from './nameWords.js';

/** Fewer values look like anything. */
const LEAST = 10;

const ID_WORDS = new Set(
  'id ids uid uuid guid mrn nbr number no nr num patient subject participant person accession encounter record case'.split(
    ' ',
  ),
);
/** `patientid`, `ptno`, `usubjid`: words written as one. */
const JOINED = /^(case|participant|pat|patient|person|pt|record|subj|subject|usubj)(id|ids|no|nr|nbr|num|number)$/;
const ISO_DATE = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/;
/** 1990 to 2100, in seconds since 1970. */
const EPOCH = { from: 631_152_000, to: 4_102_444_800 };

/** Why the column is no measurement but a time or an id of its own for each row; undefined when it may be one. */
export function suspicionOf(column: Column): { readonly kind: 'time' | 'id'; readonly why: string } | undefined {
  const { kind, dates } = column;
  if (kind === 'number' && !dates && !holdsIntegers(column)) return undefined;
  const values = column.values.filter((value) => !Number.isNaN(value));
  if (values.length < LEAST) return undefined;
  if (dates) return { kind: 'time', why: 'dates' };
  if (column.levels) {
    if (column.levels.every((level) => ISO_DATE.test(level))) return { kind: 'time', why: 'dates as text' };
    return column.levels.length === values.length
      ? { kind: 'id', why: 'text that is different in every row' }
      : undefined;
  }
  return timeAsInteger(values) ?? counterOrId(column.name, values);
}

/** No cell has decimals. */
export const holdsIntegers = ({ values }: Pick<Column, 'values'>): boolean =>
  values.every((value) => Number.isNaN(value) || Number.isSafeInteger(value));

function timeAsInteger(values: Float64Array) {
  const within = (from: number, to: number) => values.every((value) => value >= from && value < to);
  const why = within(EPOCH.from, EPOCH.to)
    ? 'seconds since 1970'
    : within(1000 * EPOCH.from, 1000 * EPOCH.to)
      ? 'milliseconds since 1970'
      : values.every(isWrittenDate)
        ? 'dates written as yyyymmdd'
        : undefined;
  return why && new Set(values).size > 2 ? ({ kind: 'time', why } as const) : undefined;
}

function isWrittenDate(value: number): boolean {
  const [year, month, day] = [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100];
  return year >= 1900 && year <= 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

function counterOrId(name: string, values: Float64Array) {
  const step = values[1] - values[0];
  const follows = (sign: number) => values.every((value, at) => at === 0 || sign * (value - values[at - 1]) > 0);
  if (step !== 0 && values.every((value, at) => value === values[0] + at * step)) {
    return { kind: 'id', why: 'a counter of rows' } as const;
  }
  if (follows(1) || follows(-1)) return { kind: 'time', why: 'integers in the order of the rows' } as const;
  return saysId(name) && new Set(values).size === values.length
    ? ({ kind: 'id', why: 'integers that are different in every row' } as const)
    : undefined;
}

/** `patientId`, `patient_nbr`, `MRN`: a word of the name says that it names. `pid` does so alone: it is a disease as well. */
export function saysId(name: string): boolean {
  const words = nameWords(name);
  return words.join(' ') === 'pid' || words.some((word) => ID_WORDS.has(word) || JOINED.test(word));
}
