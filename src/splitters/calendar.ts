/** Periods of the calendar, all in UTC, and the error for times that are not dates. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { MILLISECONDS_PER_DAY, type Times } from '../data/sideData.js';

/** Throws `InvalidDataError` unless times are dates: numbers have a unit of their own, which no calendar knows. */
export function checkDates(owner: string, { dates }: Pick<Times, 'dates'>): void {
  if (dates) return;
  const must = 'be Dates or ISO 8601 strings, to be cut by the calendar';
  const instead = 'Pass `new Date(milliseconds)` for each row.';
  throw new InvalidDataError(sentence(`timestamps of ${owner}`, must, phrase('numbers'), instead));
}

const dayOf = (time: number) => Math.floor(time / MILLISECONDS_PER_DAY);
const yearOf = (time: number) => new Date(time).getUTCFullYear();
const monthOf = (time: number) => 12 * yearOf(time) + new Date(time).getUTCMonth();

/** The period that holds a time (milliseconds since 1970) as a number: equal in one period, larger in a later one. */
export const PERIOD_OF = {
  day: dayOf,
  // Weeks begin on Monday (ISO 8601); 1970-01-01 was a Thursday.
  week: (time: number) => Math.floor((dayOf(time) + 3) / 7),
  month: monthOf,
  // Shifted by a month, December opens the four seasons of the year that follows.
  season: (time: number) => Math.floor((monthOf(time) + 1) / 3),
  year: yearOf,
} as const;

const SEASONS = ['winter', 'spring', 'summer', 'autumn'];
const digits = (value: number, width: number) => String(value).padStart(width, '0');
const remainder = (value: number, by: number) => value - by * Math.floor(value / by);

/** How fold ids write a period of {@link PERIOD_OF}: `2024-02`, `winter-2024`, `2024`. */
export const PERIOD_NAME = {
  month: (month: number) => `${digits(Math.floor(month / 12), 4)}-${digits(1 + remainder(month, 12), 2)}`,
  season: (season: number) => `${SEASONS[remainder(season, 4)]}-${digits(Math.floor(season / 4), 4)}`,
  year: (year: number) => digits(year, 4),
} as const;
