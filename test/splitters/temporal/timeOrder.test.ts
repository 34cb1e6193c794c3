import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nextTime,
  PERIOD_NAME,
  PERIOD_OF,
  rowsAt,
  startOfTime,
  timeOrder,
} from '../../../src/splitters/temporal/timeOrder.js';
import { reference } from './places.js';

describe('timeOrder', () => {
  it('orders rows by time, equal times by row', () => {
    const order = timeOrder({ timestamps: [5, 1, 5, 3] }, 4);
    expect([...order.rows]).toEqual([1, 3, 0, 2]);
    expect([...order.times]).toEqual([1, 3, 5, 5]);
    expect(order.dates).toBe(false);
  });

  it('takes row order for time where there are no timestamps', () => {
    expect([...timeOrder({}, 3).rows]).toEqual([0, 1, 2]);
    expect([...timeOrder({}, 3).times]).toEqual([0, 1, 2]);
  });

  it('reads dates as milliseconds of UTC', () => {
    const order = timeOrder({ timestamps: ['2024-01-02', new Date(0)] }, 2);
    expect([...order.times]).toEqual([0, Date.UTC(2024, 0, 2)]);
    expect(order.dates).toBe(true);
  });

  it('cuts between times only, forward or back', () => {
    const order = timeOrder({ timestamps: [1, 2, 2, 2, 3] }, 5);
    expect([0, 1, 2, 3, 4, 5, 9].map((place) => nextTime(order, place))).toEqual([0, 1, 4, 4, 4, 5, 5]);
    expect([-1, 0, 1, 2, 3, 4, 5].map((place) => startOfTime(order, place))).toEqual([0, 0, 1, 1, 1, 4, 5]);
  });

  it('gives every row once, with times that never fall, whatever the order of the input', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 }), (timestamps) => {
        const order = timeOrder({ timestamps }, timestamps.length);
        expect([...rowsAt(order, 0, order.n)]).toEqual([...timestamps.keys()]);
        for (let at = 1; at < order.n; at++) expect(order.times[at]).toBeGreaterThanOrEqual(order.times[at - 1]);
      }),
    );
  });
});

const DAY = 86_400_000;
const named = (period: keyof typeof PERIOD_NAME, date: string) =>
  PERIOD_NAME[period](PERIOD_OF[period](Date.parse(date)));

describe('periods of the calendar', () => {
  // by hand: Trenberth 1983, winter is December to February; December counts for the year that follows
  it.each([
    ['2023-11-30T23:59:59.999Z', 'autumn-2023', '2023-11', '2023'],
    ['2023-12-01T00:00:00Z', 'winter-2024', '2023-12', '2023'],
    ['2023-12-31T23:59:59Z', 'winter-2024', '2023-12', '2023'],
    ['2024-01-01T00:00:00Z', 'winter-2024', '2024-01', '2024'],
    ['2024-02-29T12:00:00Z', 'winter-2024', '2024-02', '2024'],
    ['2024-03-01T00:00:00Z', 'spring-2024', '2024-03', '2024'],
    ['2024-05-31T23:59:59Z', 'spring-2024', '2024-05', '2024'],
    ['2024-06-01T00:00:00Z', 'summer-2024', '2024-06', '2024'],
    ['2024-08-31T23:59:59Z', 'summer-2024', '2024-08', '2024'],
    ['2024-09-01T00:00:00Z', 'autumn-2024', '2024-09', '2024'],
    ['2024-12-01T00:00:00Z', 'winter-2025', '2024-12', '2024'],
    // half past midnight in Kolkata is still November in UTC
    ['2023-12-01T00:30:00+05:30', 'autumn-2023', '2023-11', '2023'],
    // summer time begins in between in most places, and changes nothing
    ['2024-02-29T23:30:00-05:00', 'spring-2024', '2024-03', '2024'],
    ['0001-01-15T00:00:00Z', 'winter-0001', '0001-01', '0001'],
    ['1969-12-31T23:59:59Z', 'winter-1970', '1969-12', '1969'],
  ])('%s', (date, season, month, year) => {
    expect([named('season', date), named('month', date), named('year', date)]).toEqual([season, month, year]);
  });

  it('begin ISO 8601 weeks where lubridate (R) does, every day from 1950 to 2100', () => {
    const from = Date.parse(reference.isoYears[0].from);
    const mondays = reference.isoYears.flatMap(({ from: first, weeks }) =>
      Array.from({ length: weeks }, (_, week) => (Date.parse(first) - from) / DAY + 7 * week),
    );
    expect(reference.isoYears.filter(({ weeks }) => weeks === 53).length).toBeGreaterThan(20);
    const weeks = Array.from({ length: mondays.at(-1)! + 7 }, (_, at) => PERIOD_OF.week(from + at * DAY));
    expect(Array.from(weeks.keys()).filter((at) => weeks[at] !== weeks[at - 1])).toEqual(mondays);
  });

  it('grow with time', () => {
    const days = Array.from({ length: 1500 }, (_, day) => Date.UTC(1968, 5, day));
    for (const of of Object.values(PERIOD_OF)) {
      const periods = days.map(of);
      for (let day = 1; day < 1500; day++) expect([0, 1]).toContain(periods[day] - periods[day - 1]);
    }
  });
});
