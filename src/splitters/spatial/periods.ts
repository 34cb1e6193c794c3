/** Periods of the calendar, in UTC, as numbers that grow with time, and their names. */

const yearOf = (time: number) => new Date(time).getUTCFullYear();
const monthOf = (time: number) => 12 * yearOf(time) + new Date(time).getUTCMonth();
const digits = (value: number, width: number) => String(value).padStart(width, '0');

/** Meteorological seasons, named as in the north. */
const SEASONS = ['winter', 'spring', 'summer', 'autumn'];

/** By temporal strategy: the period of a time (milliseconds since 1970), and how fold ids write it. */
export const PERIODS = {
  yearly: { of: yearOf, name: (year: number) => digits(year, 4) },
  monthly: {
    of: monthOf,
    name: (month: number) => `${digits(Math.floor(month / 12), 4)}-${digits(1 + remainder(month, 12), 2)}`,
  },
  seasonal: {
    // Shifted by a month, December opens the four seasons of the year that follows.
    of: (time: number) => Math.floor((monthOf(time) + 1) / 3),
    name: (season: number) => `${SEASONS[remainder(season, 4)]}-${digits(Math.floor(season / 4), 4)}`,
  },
};

/** Never negative, also for years before 0. */
const remainder = (value: number, by: number) => value - by * Math.floor(value / by);
