/** Consecutive blocks of time: calendar units in UTC, or counts of rows. */
import { MILLISECONDS_PER_DAY } from '../../core/sideData.js';
import { nextTime, type TimeOrder } from './timeOrder.js';

export const CALENDAR_UNITS = ['day', 'week', 'month', 'year'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

const dayOf = (time: number) => Math.floor(time / MILLISECONDS_PER_DAY);
const yearOf = (time: number) => new Date(time).getUTCFullYear();

/** A number for the calendar block that holds a time (milliseconds since 1970): equal in one block, later is larger. */
const BLOCK_OF: Readonly<Record<CalendarUnit, (time: number) => number>> = {
  day: dayOf,
  // Weeks begin on Monday (ISO 8601); 1970-01-01 was a Thursday.
  week: (time) => Math.floor((dayOf(time) + 3) / 7),
  month: (time) => 12 * yearOf(time) + new Date(time).getUTCMonth(),
  year: yearOf,
};

/** The places at which the calendar blocks begin that hold rows. Times must be dates. */
export function calendarBlocks({ times }: TimeOrder, unit: CalendarUnit): number[] {
  const blocks = times.map(BLOCK_OF[unit]);
  return Array.from(blocks.keys()).filter((at) => at === 0 || blocks[at] !== blocks[at - 1]);
}

/** The places at which blocks of `size` rows begin; each moves on to the next distinct time. */
export function rowBlocks(order: TimeOrder, size: number): number[] {
  const starts: number[] = [];
  for (let at = 0; at < order.n; at = nextTime(order, at + size)) starts.push(at);
  return starts;
}
