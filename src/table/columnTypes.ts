import { InvalidDataError, invalidData, kindOf, show } from '../core/errors.js';
import { timesWhereKnown } from '../data/sideData.js';
import { isCode } from '../data/writtenNumbers.js';
import { numberIn } from './cellColumn.js';
import { missingIn, type RawColumn, type RawTable } from './rawTable.js';
import type { ColumnType, DateFormat } from './readTableOptions.js';

export interface TypedColumn {
  readonly name: string;
  /** `empty`: all cells are missing. */
  readonly type: ColumnType | 'empty';
  readonly missing: number;
  /** Different texts that are not missing; null for numbers and dates. */
  readonly distinct: number | null;
  readonly raw: RawColumn;
}

/** So many different texts are categories in any case. */
const FEW = 20;
/** And more are, when each stands in so many rows on average. */
const ROWS_PER_CATEGORY = 5;
/** With fewer rows nothing can be said of ids. */
const LEAST_ROWS = 20;

/** Names that ids bear: `id`, `patient_id`, `patientId`, `patient_nbr`, `MRN`, ... */
const CAMEL_ID = /\p{Ll}(Id|ID|Uid|UUID|Nbr|Nr)$/u;
const PLAIN_ID = /(^|[^\p{L}])(id|ids|uid|uuid|guid|mrn|pid|nbr)$/iu;
/** Names that data frames give to the numbers of their rows, also a column without a name. */
const ROWS = /^(unnamed: ?\d+|__index_level_\d+__|index|row_?names?)$/i;
const isOfRows = (name: string, format: RawTable['format']) =>
  ROWS.test(name) || (format !== 'npy' && name === 'column_1');
const hasIdName = (name: string) => CAMEL_ID.test(name) || PLAIN_ID.test(name);
/** Names of persons and their numbers: ids where there are many; few may say who is a patient, and who a control. */
const PERSON =
  /^(patient|subject|participant|((patient|pat|subject|participant|case|record|nhs)[\W_]?(no|nr|number)))$/iu;
export const mayHoldIds = (name: string) => hasIdName(name) || PERSON.test(name);

export function typedColumn(raw: RawColumn, requested: ColumnType | undefined, table: RawTable): TypedColumn {
  const { count: missing } = missingIn(raw);
  const distinct = distinctIn(raw);
  const as = (type: TypedColumn['type'], changed = raw): TypedColumn => ({
    ...{ name: raw.name, type, missing, raw: changed },
    distinct: type === 'boolean' ? null : distinct,
  });
  if (requested) return as(requested, requested === 'boolean' && raw.stored !== 'boolean' ? booleans(raw, table) : raw);
  const present = raw.cells.length - missing;
  if (present === 0) return as('empty');
  if (raw.stored === 'boolean' || raw.stored === 'date') return as(raw.stored);
  if (raw.stored === 'numeric')
    return as(isIdOfRows(raw.cells as Float64Array, raw.name, table.format) ? 'id' : 'numeric');
  const texts = raw.cells as (string | null)[];
  if (texts.every((cell) => cell === null || TRUE_FALSE.test(cell))) return as('boolean', booleans(raw, table));
  if (texts.every((cell) => cell === null || isLikeDate(cell))) return as('date');
  const kinds = distinct as number;
  if (hasIdName(raw.name) || (isOfRows(raw.name, table.format) && kinds === present)) return as('id');
  if (kinds > FEW && PERSON.test(raw.name)) return as('id');
  if (kinds <= FEW || kinds * ROWS_PER_CATEGORY <= present) return as('categorical');
  const isId =
    kinds === present &&
    present >= LEAST_ROWS &&
    texts.every((cell) => cell === null || !/\s/.test(cell)) &&
    2 * texts.filter(isNearNumber).length < present;
  return as(isId || texts.every((cell) => cell === null || isCode(cell)) ? 'id' : 'text');
}

function distinctIn({ stored, cells }: RawColumn): number | null {
  if (stored !== 'text') return null;
  const texts = new Set(cells as (string | null)[]);
  texts.delete(null);
  return texts.size;
}

/** Whole numbers under the name of an id, or numbers of the rows: each one more than the one before. */
function isIdOfRows(cells: Float64Array, name: string, format: RawTable['format']): boolean {
  // A data frame that was filtered or mixed before: its numbers of rows have gaps.
  if (isOfRows(name, format)) {
    return cells.every(Number.isInteger) && new Set(cells).size === cells.length;
  }
  if (hasIdName(name) || (PERSON.test(name) && new Set(cells).size > FEW))
    return cells.every((cell) => Number.isInteger(cell) || Number.isNaN(cell));
  return (
    cells.length >= LEAST_ROWS && cells.every((cell, row) => cell === cells[0] + row) && Number.isInteger(cells[0])
  );
}

const TRUE_FALSE = /^(true|false)$/i;
const WORDS: Readonly<Record<string, number>> = {
  ...{ true: 1, t: 1, yes: 1, y: 1, '1': 1 },
  ...{ false: 0, f: 0, no: 0, n: 0, '0': 0 },
};

/** 1, 0 and NaN for true, false and missing. */
function booleans(raw: RawColumn, table: RawTable): RawColumn {
  const cells = Float64Array.from(raw.cells as ArrayLike<unknown>, (cell, row) => {
    if (cell === null || Number.isNaN(cell)) return Number.NaN;
    const word = String(cell).toLowerCase();
    if (Object.hasOwn(WORDS, word)) return WORDS[word];
    const must = 'be true or false (or yes or no, 1 or 0)';
    throw invalidData('not_boolean', `${table.placeOf(row)}, column ${show(raw.name)}`, must, kindOf(cell));
  });
  return { ...raw, stored: 'boolean', cells };
}

/** Texts of a column as it was written; numbers as JavaScript writes them. */
export function textsOf({ raw }: TypedColumn): (string | null)[] {
  if (raw.stored === 'text') return raw.cells as (string | null)[];
  const word = (cell: number) =>
    raw.stored === 'boolean' ? String(cell === 1) : raw.stored === 'date' ? new Date(cell).toISOString() : String(cell);
  return Array.from(raw.cells as Float64Array, (cell) => (Number.isNaN(cell) ? null : word(cell)));
}

// Dates as tables write them: ISO 8601, or day, month and year in an order that the cells must show.

const ISO = /^\d{4}([-/.])\d\d\1\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z| ?[+-]\d\d(:?\d\d)?)?)?$/;
const PARTS = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;

/** Dates that are known as such, but not read: parts that may be anything, years of two digits, names of months. */
const OTHERS = [
  /^(\d{1,2}|\d{4})([-/.])\d{1,2}\2(\d{4}|\d{1,2})([T ]+\d{1,2}:\d\d.*)?$/,
  /^(\d{1,2}[- .]{1,2})?\p{L}{3,9}\.?[- ](\d{1,2},? )?\d{4}$/u,
  /^\d{1,2}[- .]{1,2}\p{L}{3,4}\.?[- ]\d\d$/u,
];

const isLikeDate = (text: string): boolean =>
  ISO.test(text) || PARTS.test(text) || OTHERS.some((each) => each.test(text));

/** Digits with a mark of thousands, a decimal comma, a percent sign, a currency, a comparison, brackets or a unit; blanks are single ones. */
const NEAR = /^[<>≤≥~≈=]* ?\(?[+\-−]? ?[$€£]? ?\d[\d.,'’ ]*(e[+-]?\d+)?( ?%| ?[$€£]| \p{L}[\p{L}\d/²³°µ^]*)?\)?$/iu;

/** A text that looks like a number to people. */
export const isNearNumber = (cell: string | null): boolean =>
  cell !== null &&
  !isCode(cell) &&
  !isLikeDate(cell) &&
  (NEAR.test(cell.replace(/\s+/g, ' ')) || !Number.isNaN(numberIn(cell, false)));

const SHORT_YEAR = /^\d{1,2}([-/. ])\d{1,2}\1\d\d(\s|$)/;

/** Milliseconds since 1970 (UTC), NaN where missing. Without `requested`, dates with strokes need a day above 12, which tells their order. */
export function millisecondsOf({ raw }: TypedColumn, requested: DateFormat | undefined, table: RawTable): Float64Array {
  if (raw.stored !== 'text') return raw.cells as Float64Array;
  const texts = raw.cells as (string | null)[];
  const format = requested ?? foundFormat(texts, raw.name, table);
  const known = new Map<string, number>();
  return Float64Array.from(texts, (text, row) => {
    if (text === null) return Number.NaN;
    const time = known.get(text) ?? milliseconds(text, format);
    if (Number.isNaN(time)) {
      const subject = `${table.placeOf(row)}, column ${show(raw.name)}`;
      const [got, way] = SHORT_YEAR.test(text)
        ? ['a year of two digits', 'Write years with four digits: two do not say the century.']
        : ['a text that is none'];
      throw invalidData('not_a_date', subject, `be a date as ${format}`, got, way);
    }
    known.set(text, time);
    return time;
  });
}

function milliseconds(text: string, format: DateFormat): number {
  if (format === 'yyyy-mm-dd')
    return ISO.test(text)
      ? isoMilliseconds(text.slice(0, 10).replace(/[/.]/g, '-') + text.slice(10).replace(/ (?=[+-])/, ''))
      : Number.NaN;
  const parts = PARTS.exec(text);
  if (!parts || parts[2] !== format[2]) return Number.NaN;
  const [, first, , second, year, clock] = parts;
  const [day, month] = format === 'mm/dd/yyyy' ? [second, first] : [first, second];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isoMilliseconds(clock ? `${date}T${clock}` : date);
}

/** As `timestamps` reads it, so that both mean the same; NaN for a day that no calendar has. */
function isoMilliseconds(text: string): number {
  try {
    return timesWhereKnown([text], 1).values[0];
  } catch (error) {
    if (error instanceof InvalidDataError) return Number.NaN;
    throw error;
  }
}

function foundFormat(texts: readonly (string | null)[], name: string, { placeOf }: RawTable): DateFormat {
  let [any, dayFirst, dayLast] = [-1, -1, -1];
  for (let row = 0; row < texts.length; row++) {
    const parts = texts[row] === null ? null : PARTS.exec(texts[row] as string);
    if (!parts) continue;
    if (parts[2] === '.') return 'dd.mm.yyyy';
    if (any < 0) any = row;
    if (dayFirst < 0 && Number(parts[1]) > 12) dayFirst = row;
    if (dayLast < 0 && Number(parts[3]) > 12) dayLast = row;
  }
  if (any < 0) return 'yyyy-mm-dd';
  if (dayFirst >= 0 !== dayLast >= 0) return dayFirst >= 0 ? 'dd/mm/yyyy' : 'mm/dd/yyyy';
  const got =
    dayFirst >= 0
      ? `a day first in ${placeOf(dayFirst).toLowerCase()} and a month first in ${placeOf(dayLast).toLowerCase()}`
      : 'dates that can be read in both ways, as 03/04/2020';
  const way = "Pass `dateFormat`: 'dd/mm/yyyy' or 'mm/dd/yyyy'.";
  throw invalidData('ambiguous_date', `The dates of column ${show(name)}`, 'tell day from month', got, way);
}
