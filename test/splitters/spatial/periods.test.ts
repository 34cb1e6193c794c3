import { describe, expect, it } from 'vitest';
import { PERIODS } from '../../../src/splitters/spatial/periods.js';

const named = (strategy: keyof typeof PERIODS, date: string) => {
  const { of, name } = PERIODS[strategy];
  return name(of(Date.parse(date)));
};

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
    expect([named('seasonal', date), named('monthly', date), named('yearly', date)]).toEqual([season, month, year]);
  });

  it('grow with time', () => {
    const days = Array.from({ length: 1500 }, (_, day) => Date.UTC(1968, 5, day));
    for (const { of } of Object.values(PERIODS)) {
      const periods = days.map(of);
      for (let day = 1; day < 1500; day++) expect([0, 1]).toContain(periods[day] - periods[day - 1]);
    }
  });
});
