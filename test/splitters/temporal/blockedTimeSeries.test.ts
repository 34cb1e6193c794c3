import { afterEach, describe, expect, it } from 'vitest';
import {
  BlockedTimeSeries,
  type BlockedTimeSeriesOptions,
  CALENDAR_UNITS,
} from '../../../src/splitters/temporal/blockedTimeSeries.js';
import type { SplitterData } from '../../conformance/splitterData.js';
import { splitterSuite } from '../../conformance/splitterSuite.js';
import { matrix } from '../../helpers/matrix.js';
import { boundsOf, reference } from './places.js';

type Times = ArrayLike<number | Date | string>;
const split = (options: BlockedTimeSeriesOptions, timestamps: Times) => [
  ...new BlockedTimeSeries(options).split(timestamps.length, { timestamps }),
];
/** Test rows of each fold. */
const tests = (options: BlockedTimeSeriesOptions, timestamps: Times) =>
  split(options, timestamps).map(({ test }) => [...test]);
/** Places at which the blocks after the first begin: of B blocks, B - 1 folds test one each. */
const cuts = (blockSize: BlockedTimeSeriesOptions['blockSize'], timestamps: Times, blocks: number) =>
  boundsOf(split({ blockSize, nSplits: blocks - 1 }, timestamps)).map(([, , testStart]) => testStart);

describe('BlockedTimeSeries cuts where other libraries do (test/reference/timeWindows.json)', () => {
  const { times } = reference.calendar;

  it.each(CALENDAR_UNITS)('by %s, as warp (R)', (unit) => {
    const [first, ...later] = reference.calendar[unit];
    expect(first).toBe(0);
    expect(later.length).toBeGreaterThan(30);
    expect(cuts(unit, times, later.length + 1)).toEqual(later);
  });
});

describe('BlockedTimeSeries', () => {
  it('tests every block once after the first floor(B / (nSplits + 1))', () => {
    // by hand: 12 days, 3 folds: 12 / 4 = 3 days only train, the other 9 are tested 3 at a time; with 11 days 2 only
    // train, and 9 are 3 each; with 14 days 3 only train, and 11 are 4, 4 and 3
    const days = (count: number) => Array.from({ length: count }, (_, at) => new Date(Date.UTC(2024, 1, 20 + at)));
    expect(boundsOf(split({ nSplits: 3 }, days(12)))).toEqual(matrix('0 3 3 6 | 0 6 6 9 | 0 9 9 12'));
    expect(boundsOf(split({ nSplits: 3 }, days(11))).map(([, trainEnd]) => trainEnd)).toEqual([2, 5, 8]);
    expect(boundsOf(split({ nSplits: 3 }, days(14))).map(([, trainEnd]) => trainEnd)).toEqual([3, 7, 11]);
  });

  it('takes the week of 2024-12-30, which runs into 2025, as one block, and years apart', () => {
    const times = ['2024-12-29', '2024-12-30', '2025-01-01', '2025-01-05', '2025-01-06', '2026-01-05'];
    expect(cuts('week', times, 4)).toEqual([1, 4, 5]);
    expect(cuts('year', times, 3)).toEqual([2, 5]);
    // January 2026 is not January 2025
    expect(cuts('month', times, 3)).toEqual([2, 5]);
  });

  it('takes the leap day as a day and the gap after it as nothing', () => {
    expect(cuts('day', ['2024-02-28', '2024-02-29T23:59:59.999', '2024-03-01', '2031-07-01'], 4)).toEqual([1, 2, 3]);
  });

  it('cuts days in UTC whatever the offset, also where the clocks change', () => {
    // Berlin, 2024-03-31: 02:00 +01:00 becomes 03:00 +02:00. In UTC it is 23:30 of the day before, 00:30,
    // 22:30 and, a day later, 00:30
    const berlin = ['2024-03-31T00:30:00+01:00', '2024-03-31T01:30:00+01:00', '2024-04-01T00:30:00+02:00'];
    expect(cuts('day', [...berlin, '2024-04-01T02:30:00+02:00'], 3)).toEqual([1, 3]);
    // New York, 2024-11-03: 01:30 comes twice; in UTC 05:30 and 06:30
    const newYork = ['2024-11-02T19:30:00-04:00', '2024-11-03T01:30:00-04:00', '2024-11-03T01:30:00-05:00'];
    expect(cuts('day', [...newYork, '2024-11-03T19:30:00-05:00'], 3)).toEqual([1, 3]);
  });

  it('ends blocks of rows at the next distinct time, the last where the rows end', () => {
    // by hand: places 0-2, then 3-5; place 6 is within time 4 (places 5-6), so that block ends at 7, and 7 is left
    expect(cuts(3, [0, 1, 2, 3, 3, 4, 4, 5], 3)).toEqual([3, 7]);
    expect(boundsOf(new BlockedTimeSeries({ nSplits: 2, blockSize: 4 }).split(10))).toEqual(
      matrix('0 4 4 8 | 0 8 8 10'),
    );
  });

  it('takes rows in the order of time', () => {
    const times = ['2024-01-03', new Date('2024-01-01T12:00:00Z'), '2024-01-02T05:00:00-08:00', '2024-01-01'];
    expect(tests({ nSplits: 2 }, times)).toEqual([[2], [0]]);
  });
});

describe('BlockedTimeSeries in other time zones', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  it.each([
    ['America/New_York', 300],
    ['Asia/Kathmandu', -345],
    ['Pacific/Kiritimati', -840],
  ])('%s gives the folds of UTC', (zone, offset) => {
    const pictures = ['UTC', zone].map((each) => {
      process.env.TZ = each;
      expect(new Date(2024, 0, 1).getTimezoneOffset()).toBe(each === 'UTC' ? 0 : offset);
      const times = reference.calendar.times.map((time, at) => (at % 2 ? time.slice(0, -1) : new Date(time)));
      return CALENDAR_UNITS.map((blockSize) => tests({ blockSize, nSplits: 9 }, times));
    });
    expect(pictures[1]).toEqual(pictures[0]);
  });
});

describe('BlockedTimeSeries on dates passes the common suite', () => {
  const dated = (name: string, n: number, hours: number): SplitterData => ({
    name,
    n,
    y: Array.from({ length: n }, (_, row) => row % 2),
    // two rows each time, latest first
    side: {
      timestamps: Array.from({ length: n }, (_, row) =>
        new Date(Date.UTC(2020, 11, 20) - Math.floor(row / 2) * hours * 3_600_000).toISOString(),
      ),
    },
  });
  const cases = splitterSuite({
    ...BlockedTimeSeries.facts,
    create: (options) => new BlockedTimeSeries(options),
    needs: ['timestamps'],
    uses: [],
    examples: CALENDAR_UNITS.map((blockSize) => ({ blockSize })),
    dataSets: [dated('months apart', 40, 24 * 131), dated('many months apart', 31, 24 * 401)],
  });
  for (const each of cases) it(each.name, each.run);
});
