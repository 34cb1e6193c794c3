/** The temporal splitters that train on the past only, on random times: ties, any order, any kind and size of time. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../src/core/errors.js';
import { timesOf } from '../../src/data/sideData.js';
import { BlockedTimeSeries, ExpandingWindowCV, RollingWindowCV, TimeSeriesSplit } from '../../src/index.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CALENDAR_UNITS } from '../../src/splitters/temporal/blockedTimeSeries.js';
import { anyNumber, anyTimes, DAY, dates, type Time } from './anyTimes.js';

interface Sides {
  train: number[];
  purged: number[];
  test: number[];
}

/** How many random cases had folds and how many were refused: a test that saw hardly any fold would prove little. */
const seen = { folds: 0, refusals: 0 };

/** The checked folds as plain rows, or null where they do not exist. */
function foldsAt(splitter: Splitter, timestamps: readonly Time[]): Sides[] | null {
  try {
    const found = [...foldsOf(splitter, timestamps.length, { timestamps })];
    seen.folds++;
    return found.map(({ train, test, excluded = {} }) => ({
      ...{ train: [...train], purged: [...(excluded.purged ?? [])], test: [...test] },
    }));
  } catch (error) {
    expect(error).toBeInstanceOf(InfeasibleSplitError);
    seen.refusals++;
    return null;
  }
}

afterEach(() => {
  expect(10 * seen.folds).toBeGreaterThan(seen.refusals);
  Object.assign(seen, { folds: 0, refusals: 0 });
});

/** What the docstrings promise, over the plain list of places at which times begin. */
function oracle(timestamps: readonly Time[]) {
  const n = timestamps.length;
  const { values } = timesOf(timestamps, n);
  const order = Array.from(values.keys()).sort((a, b) =>
    values[a] < values[b] ? -1 : values[a] > values[b] ? 1 : a - b,
  );
  const begins = Array.from({ length: n + 1 }, (_, at) => at).filter(
    (at) => at === 0 || at === n || values[order[at]] !== values[order[at - 1]],
  );
  const from = (place: number) => begins.find((at) => at >= place) ?? n;
  const upTo = (place: number) => begins.findLast((at) => at <= place) ?? 0;
  const rows = (start: number, end: number) => order.slice(start, end).sort((a, b) => a - b);
  const fold = (trainStart: number, trainEnd: number, testStart: number, testEnd: number): Sides => ({
    train: rows(trainStart, trainEnd),
    purged: rows(trainEnd, testStart),
    test: rows(testStart, testEnd),
  });
  return { n, values, from, upTo, fold };
}

const nSplits = fc.integer({ min: 2, max: 6 });
const gap = fc.integer({ min: 0, max: 6 });
const windowOptions = {
  stepSize: fc.integer({ min: 1, max: 9 }),
  forecastHorizon: fc.integer({ min: 1, max: 5 }),
  gap,
};

const anySplitter: fc.Arbitrary<Splitter> = fc.oneof(
  fc.record({ nSplits, gap }).map((options) => new TimeSeriesSplit(options)),
  fc.record({ nSplits, blockSize: fc.integer({ min: 1, max: 4 }) }).map((options) => new BlockedTimeSeries(options)),
  fc
    .record({ windowSize: fc.integer({ min: 1, max: 12 }), ...windowOptions })
    .map((options) => new RollingWindowCV(options)),
  fc
    .record({ initialTrainSize: fc.integer({ min: 1, max: 12 }), ...windowOptions })
    .map((options) => new ExpandingWindowCV(options)),
);

describe('every forward-chaining splitter', () => {
  it('trains on the past only, keeps the gap, and gives rows of one time one role', () => {
    fc.assert(
      fc.property(anySplitter, anyTimes, (splitter, timestamps) => {
        const { values, n } = oracle(timestamps);
        const least = (splitter as { options?: { gap?: number } }).options?.gap ?? 0;
        for (const { train, purged, test } of foldsAt(splitter, timestamps) ?? []) {
          const latest = Math.max(...train.map((row) => values[row]));
          const first = Math.min(...test.map((row) => values[row]));
          expect(latest).toBeLessThan(first);
          const between = Array.from({ length: n }, (_, row) => row).filter(
            (row) => values[row] > latest && values[row] < first,
          );
          expect(purged).toEqual(between);
          expect(purged.length).toBeGreaterThanOrEqual(least);
          // with the earliest time of the gap in training too, the gap would be too short
          const soonest = Math.min(...purged.map((row) => values[row]));
          expect(purged.filter((row) => values[row] > soonest).length).toBeLessThan(Math.max(least, 1));
          for (const side of [train, test]) {
            const times = new Set(side.map((row) => values[row]));
            expect(values.filter((time) => times.has(time)).length).toBe(side.length);
          }
        }
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same folds whatever the order of the rows', () => {
    const shuffled = anyTimes.chain((timestamps) => {
      const rows = Array.from(timestamps.keys());
      return fc.tuple(fc.constant(timestamps), fc.shuffledSubarray(rows, { minLength: rows.length }));
    });
    fc.assert(
      fc.property(anySplitter, shuffled, (splitter, [timestamps, order]) => {
        const back = (rows: number[]) => rows.map((row) => order[row]).sort((a, b) => a - b);
        const shuffledTimes = order.map((row) => timestamps[row]);
        const moved = foldsAt(splitter, shuffledTimes)?.map(({ train, purged, test }) => ({
          ...{ train: back(train), purged: back(purged), test: back(test) },
        }));
        expect(moved ?? null).toEqual(foldsAt(splitter, timestamps));
      }),
      { numRuns: 200 },
    );
  });

  it('takes one row at each time as rows without times', () => {
    const size = { minLength: 1, maxLength: 50, size: 'max' } as const;
    const distinct = fc.uniqueArray(anyNumber, { ...size, comparator: 'SameValueZero' });
    fc.assert(
      fc.property(anySplitter, distinct, (splitter, times) => {
        const timestamps = times.toSorted((a, b) => a - b);
        const plain = () => Array.from(foldsOf(splitter, times.length), ({ train, test }) => [[...train], [...test]]);
        const timed = foldsAt(splitter, timestamps);
        if (timed === null) expect(plain).toThrow(InfeasibleSplitError);
        else expect(plain()).toEqual(timed.map(({ train, test }) => [train, test]));
      }),
    );
  });
});

describe('TimeSeriesSplit', () => {
  const size = fc.option(fc.integer({ min: 1, max: 6 }));
  it('gives the folds of its definition, or refuses where one would be empty', () => {
    fc.assert(
      fc.property(
        fc.record({ nSplits, gap, testSize: size, maxTrainSize: fc.option(fc.integer({ min: 1, max: 50 })) }),
        anyTimes,
        (options, timestamps) => {
          const { n, from, upTo, fold } = oracle(timestamps);
          const { nSplits: k, testSize, maxTrainSize } = options;
          const nTest = testSize ?? Math.floor(n / (k + 1));
          const starts = Array.from({ length: k + 1 }, (_, i) => from(Math.max(0, n - (k - i) * nTest)));
          const expected = starts.slice(0, k).map((start, i) => {
            const trainEnd = upTo(start - options.gap);
            const trainStart = maxTrainSize === null ? 0 : from(Math.max(0, trainEnd - maxTrainSize));
            return fold(trainStart, trainEnd, start, starts[i + 1]);
          });
          const whole = n - options.gap - k * nTest > 0 && nTest > 0;
          const feasible = whole && expected.every(({ train, test }) => train.length > 0 && test.length > 0);
          const found = foldsAt(new TimeSeriesSplit(options), timestamps);
          expect(found).toEqual(feasible ? expected : null);
          for (const { train } of found ?? []) expect(train.length).toBeLessThanOrEqual(maxTrainSize ?? n);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('RollingWindowCV and ExpandingWindowCV', () => {
  const design = fc.record({ size: fc.integer({ min: 1, max: 12 }), ...windowOptions });

  type Design = Record<'size' | 'stepSize' | 'forecastHorizon' | 'gap', number>;

  /** Every step from the first window on, with the cuts moved; equal folds are kept once. */
  function windowsAt(timestamps: readonly Time[], { size, stepSize, forecastHorizon, gap: rest }: Design) {
    const { n, from, upTo } = oracle(timestamps);
    const found = new Map<number, { trainEnd: number; testStart: number; testEnd: number }>();
    for (let nominal = size; nominal < n; nominal += stepSize) {
      const testStart = from(from(nominal) + rest);
      if (testStart + forecastHorizon > n) continue;
      found.set(testStart, { trainEnd: upTo(testStart - rest), testStart, testEnd: from(testStart + forecastHorizon) });
    }
    return [...found.values()];
  }

  it('give the folds of their definition, none twice and none empty', () => {
    fc.assert(
      fc.property(design, anyTimes, ({ size, ...others }, timestamps) => {
        const { from, upTo, fold } = oracle(timestamps);
        const windows = windowsAt(timestamps, { size, ...others });
        const orNull = (folds: Sides[]) => (folds.length > 0 ? folds : null);
        const rolling = windows.map(({ trainEnd, testStart, testEnd }) => {
          const last = upTo(trainEnd - 1);
          const start = from(Math.max(0, trainEnd - size));
          return fold(start < trainEnd ? start : last, trainEnd, testStart, testEnd);
        });
        const expanding = windows.map(({ trainEnd, testStart, testEnd }) => fold(0, trainEnd, testStart, testEnd));
        expect(foldsAt(new RollingWindowCV({ windowSize: size, ...others }), timestamps)).toEqual(orNull(rolling));
        expect(foldsAt(new ExpandingWindowCV({ initialTrainSize: size, ...others }), timestamps)).toEqual(
          orNull(expanding),
        );
        for (const { train } of expanding) expect(train.length).toBeGreaterThanOrEqual(size);
      }),
      { numRuns: 500 },
    );
  });
});

describe('BlockedTimeSeries', () => {
  /** The calendar block of a time by its UTC text; a week is named after its Monday, found day by day. */
  const nameOf = (time: number, unit: string): string => {
    const [date] = new Date(time).toISOString().split('T');
    if (unit === 'day') return date;
    if (unit === 'month') return date.slice(0, -3);
    if (unit === 'year') return date.slice(0, -6);
    const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
    let monday = time;
    while (weekday.format(monday) !== 'Mon') monday -= DAY;
    return new Date(monday).toISOString().split('T')[0];
  };
  const unit = fc.constantFrom(...CALENDAR_UNITS);

  it('tests every calendar block once, after all earlier ones, in runs that differ by one block at most', {
    tags: 'slow',
  }, () => {
    fc.assert(
      fc.property(nSplits, unit, dates, (k, blockSize, timestamps) => {
        const { values } = oracle(timestamps);
        const ascending = [...values].sort((a, b) => a - b);
        const blocks = [...new Set(ascending.map((time) => nameOf(time, blockSize)))];
        const found = foldsAt(new BlockedTimeSeries({ nSplits: k, blockSize }), timestamps);
        if (blocks.length < k + 1) {
          expect(found).toBeNull();
          return;
        }
        const placeOf = new Map(blocks.map((name, place) => [name, place]));
        const blockOf = Array.from(values, (time) => placeOf.get(nameOf(time, blockSize)) as number);
        const rowsIn = (from: number, to: number) =>
          Array.from(blockOf.keys()).filter((row) => blockOf[row] >= from && blockOf[row] < to);
        let next = Math.floor(blocks.length / (k + 1));
        const runs: number[] = [];
        for (const { train, test } of found ?? []) {
          const run = new Set(test.map((row) => blockOf[row])).size;
          expect(train).toEqual(rowsIn(0, next));
          expect(test).toEqual(rowsIn(next, next + run));
          next += run;
          runs.push(run);
        }
        expect(next).toBe(blocks.length);
        expect(runs.length).toBe(k);
        expect(runs[0] - runs[k - 1]).toBeLessThanOrEqual(1);
        expect(runs).toEqual(runs.toSorted((a, b) => b - a));
      }),
      { numRuns: 300 },
    );
  });

  it('gives every block of rows that many rows at least, and no more than its last time needs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), anyTimes, (blockSize, timestamps) => {
        const { values, n, from } = oracle(timestamps);
        const starts = [0];
        while (starts[starts.length - 1] < n) starts.push(from(starts[starts.length - 1] + blockSize));
        const sizes = starts.slice(1).map((end, block) => end - starts[block]);
        const k = sizes.length - 1;
        if (k < 2) return;
        const found = foldsAt(new BlockedTimeSeries({ nSplits: k, blockSize }), timestamps) ?? [];
        expect([found[0].train.length, ...found.map(({ test }) => test.length)]).toEqual(sizes);
        for (const { test } of found.slice(0, -1)) {
          expect(test.length).toBeGreaterThanOrEqual(blockSize);
          const last = Math.max(...test.map((row) => values[row]));
          expect(test.filter((row) => values[row] < last).length).toBeLessThan(blockSize);
        }
      }),
    );
  });
});
