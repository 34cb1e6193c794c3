/** Dates as tables write them: ISO 8601, or day, month and year in an order that must be told apart. */
import { InvalidDataError, phrase, sentence, show } from '../../core/errors.js';
import { timesWhereKnown } from '../../data/sideData.js';
import type { DateFormat } from './readTableOptions.js';

const ISO = /^\d{4}([-/.])\d\d\1\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?$/;
const PARTS = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;

/** Dates that are known as such, but not read: parts that may be anything, years of two digits, names of months. */
const OTHERS = [
  /^(\d{1,2}|\d{4})([-/.])\d{1,2}\2(\d{4}|\d{1,2})([T ]+\d{1,2}:\d\d.*)?$/,
  /^(\d{1,2}[- .]{1,2})?\p{L}{3,9}\.?[- ](\d{1,2},? )?\d{4}$/u,
  /^\d{1,2}[- .]{1,2}\p{L}{3,4}\.?[- ]\d\d$/u,
];

export const looksLikeDate = (text: string): boolean =>
  ISO.test(text) || PARTS.test(text) || OTHERS.some((each) => each.test(text));

interface DateRules {
  readonly name: string;
  readonly format: DateFormat | undefined;
  placeOf(row: number): string;
}

/**
 * Milliseconds since 1970 (UTC) of each text, NaN where it is null. Without `format`, ISO dates are read, `dd.mm.yyyy`, and
 * dates with strokes when one of them has a day above 12, which tells the order; others are refused.
 */
export function datesIn(texts: readonly (string | null)[], rules: DateRules): Float64Array {
  const format = rules.format ?? foundFormat(texts, rules);
  const known = new Map<string, number>();
  return Float64Array.from(texts, (text, row) => {
    if (text === null) return Number.NaN;
    let time = known.get(text);
    if (time === undefined) {
      time = milliseconds(text, format);
      if (Number.isNaN(time)) throw noDate(rules, row, format);
      known.set(text, time);
    }
    return time;
  });
}

function milliseconds(text: string, format: DateFormat): number {
  if (format === 'yyyy-mm-dd')
    return ISO.test(text) ? isoMilliseconds(text.slice(0, 10).replace(/[/.]/g, '-') + text.slice(10)) : Number.NaN;
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

/** The order of the parts in a column, from its own cells. */
function foundFormat(texts: readonly (string | null)[], { name, placeOf }: DateRules): DateFormat {
  let dayFirst = -1;
  let dayLast = -1;
  let any = -1;
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
  throw new InvalidDataError(
    sentence(
      `The dates of column ${show(name)}`,
      'tell day from month',
      phrase(got),
      "Pass `dateFormat`: 'dd/mm/yyyy' or 'mm/dd/yyyy'.",
    ),
    { code: 'ambiguous_date' },
  );
}

const noDate = ({ name, placeOf }: DateRules, row: number, format: DateFormat) =>
  new InvalidDataError(
    sentence(`${placeOf(row)}, column ${show(name)}`, `be a date as ${format}`, phrase('a text that is none')),
    { code: 'not_a_date' },
  );
