/** What a column looks like by its values and its name alone. */
import { presentIn } from '../../core/numbersWhere.js';
import type { Column } from './columns.js';
import { nameWords, saysTime } from './nameWords.js';

/** Fewer values look like anything. */
const LEAST = 10;

const ID_WORDS = new Set(
  'id ids uid uuid guid mrn nbr number no nr num patient subject participant person accession encounter record case'.split(
    ' ',
  ),
);
/** `patientid`, `ptno`, `usubjid`: words written as one. */
const JOINED = /^(case|participant|pat|patient|person|pt|record|subj|subject|usubj)(id|ids|no|nr|nbr|num|number)$/;
const CLOCK = String.raw`(?:[T ,]+\d{1,2}[:.]\d\d.*)?`;
/** `2019-02-03`, `3.2.2019 14:05`, `02/03/2019`, `03.02.19`. */
const NUMBERS = new RegExp(String.raw`^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})\.?${CLOCK}$`);
/** `3.2.19`, `10/24/17`: a version or a reading such as `8/9/10`, unless another one of the column has a day beyond 12. */
const SHORT = /^(\d{1,2})([./])(\d{1,2})\2\d\d(?: .*)?$/;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
/** `3 Feb 2019`, `03-FEB-19`, `February 3, 2019`. */
const NAMES = new RegExp(
  String.raw`^(?:\d{1,2}[-. /]*${MONTH}[-., /]*(?:\d{4}|\d\d)|${MONTH}[-. ]+\d{1,2},? +\d{4})${CLOCK}$`,
  'i',
);
const YEAR_AND_MONTH = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/;
/** 1990 to 2100, in seconds since 1970. */
const EPOCH = { from: 631_152_000, to: 4_102_444_800 };
/** 1800 to 2100. */
const BIRTHS = { from: -5_364_662_400, to: EPOCH.to };
/** Parts of a second, by what they are of one. */
const UNITS = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 };
const DAY = 86_400;
/** 1995 to 2028 as days since 1900, as spreadsheets count them; 1927 to 2064 where the name says date. */
const DAYS = { from: 35_000, to: 47_000, named: { from: 10_000, to: 60_000 } };
/** Codes and sums of money from 35,000 to 47,000 are no days. */
const NO_DAYS = /^(zip|zipcode|post|postal|postcode|plz|cost|costs|price|salary|income|charge|charges|fee)s?$/;
/** Of the days that rows at random would fall on, so many are there, were it only for weekends. */
const EVEN = 0.5;
/** So many words among dates as text are no dates: `unknown`, `not done`. */
const ODD = 2;

/** Why the column is no measurement but a time or an id of its own for each row; undefined when it may be one. */
export function suspicionOf(column: Column): { readonly kind: 'time' | 'id'; readonly why: string } | undefined {
  const { kind, dates } = column;
  const isWhole = column.values.every((value) => Number.isNaN(value) || Number.isInteger(value));
  if (kind === 'number' && !isWhole && !saysTime(column.name) && !haveClock(column.values)) return undefined;
  const values = presentIn(column.values);
  if (values.length < LEAST) return undefined;
  if (dates) return { kind: 'time', why: 'dates' };
  if (column.levels) {
    const short = column.levels.some(isShortDate);
    const written = column.levels.filter((level) => isDate(level, short)).length;
    if (written > ODD && column.levels.length - written <= ODD) return { kind: 'time', why: 'dates as text' };
    const read = column.levels.filter((level) => isPressure(level) || isMeasured(level)).length;
    return column.levels.length === values.length && 2 * read < column.levels.length
      ? {
          kind: 'id',
          why: `text that is different in every row${values.length < column.values.length ? ' that has one' : ''}`,
        }
      : undefined;
  }
  return timeAsNumber(column.name, values, isWhole) ?? (isWhole ? counterOrId(column.name, values) : undefined);
}

/**
 * A day or month of the years 1900 to 2100, whatever stands first: the year, the day or the month.
 *
 * @param short whether days and months may be of one digit where years are of two
 */
function isDate(text: string, short: boolean): boolean {
  const trimmed = text.trim();
  const parts = NUMBERS.exec(trimmed);
  if (!parts) return NAMES.test(trimmed) || YEAR_AND_MONTH.test(trimmed);
  const [first, second, third] = [parts[1], parts[3], parts[4]];
  const dayAndMonth = first.length === 4 ? [second, third] : [first, second];
  const year = first.length === 4 ? first : third;
  // Of two digits each, or the year of four: `1.2.10` may be a version.
  const isPadded = [first, second, third].every(({ length }) => length === 2);
  if (year.length !== 4 && !isPadded && !(short && SHORT.test(trimmed))) return false;
  if (year.length === 4 && !isYear(Number(year))) return false;
  const [low, high] = dayAndMonth.map(Number).sort((a, b) => a - b);
  return low >= 1 && low <= 12 && high <= 31;
}

/** A short date whose day is beyond 12, which no version or reading is likely to have. */
function isShortDate(text: string): boolean {
  const [, first, , second] = SHORT.exec(text.trim()) ?? [];
  return Math.max(Number(first), Number(second)) > 12 && isDate(text, true);
}

/** `130/80`, a reading of two numbers: the systolic pressure is the higher one. */
function isPressure(text: string): boolean {
  const [, high, low] = /^(\d{2,3}) ?\/ ?(\d{2,3})$/.exec(text) ?? [];
  return Number(low) >= 20 && Number(high) > Number(low) && Number(high) <= 300;
}

/** `12,3`, `<0.5`, `4.7 mg/dl`: a number with decimals and what stands beside it. */
const isMeasured = (text: string) => /^[<>≤≥~]?\s*[-+]?\d+[.,]\d+(?:\s*[\p{L}%µ][^\d]*)?$/u.test(text.trim());

/** No cell has decimals. */
export const holdsIntegers = ({ values }: Pick<Column, 'values'>): boolean =>
  values.every((value) => Number.isNaN(value) || Number.isSafeInteger(value));

function timeAsNumber(name: string, values: Float64Array, isWhole: boolean) {
  // Births lie before 1990, and before 1970 where they are negative: whole days tell, as `readTable` reads dates.
  const isDays = allIn(values, BIRTHS, 1e3) && values.every((value) => value % (1e3 * DAY) === 0);
  const unit = isDays
    ? 'milliseconds'
    : Object.entries(UNITS).find(([, scale]) => allIn(values, EPOCH, scale) && !isRound(values, scale))?.[0];
  const why = unit
    ? `${unit} since 1970`
    : isWhole && values.every(isWrittenDate)
      ? 'dates written as yyyymmdd'
      : countedDays(name, values, isWhole);
  return why && new Set(values).size > 2 ? ({ kind: 'time', why } as const) : undefined;
}

const allIn = (values: Float64Array, { from, to }: { readonly from: number; readonly to: number }, scale = 1) =>
  values.every((value) => Number.isNaN(value) || (value >= scale * from && value < scale * to));

function countedDays(name: string, values: Float64Array, isWhole: boolean): string | undefined {
  if (saysTime(name) && values.some((value) => value < 0))
    return isWhole && allIn(values, BIRTHS, 1 / DAY)
      ? 'whole numbers as programs write dates, days since 1970'
      : undefined;
  if (saysTime(name) ? !allIn(values, DAYS.named) : !areDays(name, values)) return undefined;
  return isWhole
    ? 'whole numbers as spreadsheets write dates, days since 1900'
    : 'numbers as spreadsheets write dates and times, days since 1900';
}

function areDays(name: string, values: Float64Array): boolean {
  if (!allIn(values, DAYS) || nameWords(name).some((word) => NO_DAYS.test(word))) return false;
  const days = values.map(Math.floor);
  const { size } = new Set(days);
  if (size < LEAST || days.filter((day) => day % 10 === 0).length > days.length / 2) return false;
  // Days fall anywhere between the first and the last; a few codes come again and again.
  const width = days.reduce((a, b) => Math.max(a, b)) - days.reduce((a, b) => Math.min(a, b)) + 1;
  return size >= EVEN * width * (1 - Math.exp(-days.length / width));
}

/** Parts of days are whole seconds, or whole minutes of five decimals, and not all hundredths, as sums of money are. */
const haveClock = (values: Float64Array) =>
  (allNearly(values, DAY, 1e-4) || allNearly(values, 1440, 0.0075)) && !allNearly(values, 100, 1e-6);
const allNearly = (values: Float64Array, times: number, most: number) =>
  values.every((value) => !(Math.abs(value * times - Math.round(value * times)) >= most));

/** Counts per litre, such as 2,100,000,000, and no seconds, unless they are whole days. */
const isRound = (values: Float64Array, scale: number) =>
  values.every((value) => value % (1e5 * scale) === 0) && !values.every((value) => value % (DAY * scale) === 0);

const isYear = (value: number) => value >= 1900 && value <= 2100;
/** `20190203`, and with a clock `201902031405`, `20190203140559`. */
function isWrittenDate(written: number): boolean {
  const clock = written >= 1e13 ? 1e6 : written >= 1e11 ? 1e4 : 1;
  const value = Math.floor(written / clock);
  const [year, month, day] = [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100];
  const hour = Math.floor(((written % clock) * 100) / clock);
  return isYear(year) && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24;
}

function counterOrId(name: string, values: Float64Array) {
  if (areBeyond(values)) {
    return { kind: 'id', why: 'whole numbers beyond 2^53, of which numbers may hold several as one' } as const;
  }
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

/** Whole numbers that are no longer exact, of about one length, as ids are; powers of ten and their like are not. */
function areBeyond(values: Float64Array): boolean {
  if (!values.every((value) => value > Number.MAX_SAFE_INTEGER && value < 1e21)) return false;
  const [from, to] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return from < to && to < 100 * from && values.filter((value) => value % 1e6 === 0).length < values.length / 2;
}

/** `patientId`, `patient_nbr`, `MRN`: a word of the name says that it names. `pid` does so alone: it is a disease as well. */
export function saysId(name: string): boolean {
  const words = nameWords(name);
  return words.join(' ') === 'pid' || words.some((word) => ID_WORDS.has(word) || JOINED.test(word));
}
