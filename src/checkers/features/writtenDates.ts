/** Dates as people and programs write them. */

const CLOCK = String.raw`(?:[T ,]+\d{1,2}[:.]\d\d.*)?`;
/** `2019-02-03`, `3.2.2019 14:05`, `02/03/2019`, `03.02.19`. */
const NUMBERS = new RegExp(String.raw`^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})\.?${CLOCK}$`);
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
/** `3 Feb 2019`, `03-FEB-19`, `February 3, 2019`. */
const NAMES = new RegExp(
  String.raw`^(?:\d{1,2}[-. /]*${MONTH}[-., /]*(?:\d{4}|\d\d)|${MONTH}[-. ]+\d{1,2},? +\d{4})${CLOCK}$`,
  'i',
);

/** A day of the years 1900 to 2100, whatever stands first: the year, the day or the month. */
export function isDate(text: string): boolean {
  const trimmed = text.trim();
  const parts = NUMBERS.exec(trimmed);
  if (!parts) return NAMES.test(trimmed);
  const [first, second, third] = [parts[1], parts[3], parts[4]];
  const dayAndMonth = first.length === 4 ? [second, third] : [first, second];
  const year = first.length === 4 ? first : third;
  // Of two digits each, or the year of four: `1.2.10` may be a version.
  if (year.length !== 4 && [first, second, third].some(({ length }) => length !== 2)) return false;
  if (year.length === 4 && !(Number(year) >= 1900 && Number(year) <= 2100)) return false;
  const [low, high] = dayAndMonth.map(Number).sort((a, b) => a - b);
  return low >= 1 && low <= 12 && high <= 31;
}
