import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { TimeSeriesSplit, type TimeSeriesSplitOptions } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { casesOf, ourFolds } from '../sklearn.js';
import { boundsOf, sidesOf } from './places.js';

interface Reference {
  cases: { n: number; options: TimeSeriesSplitOptions; folds: number[][] | null }[];
}
const reference: Reference = JSON.parse(
  readFileSync(new URL('../../reference/timeSeriesSplit.json', import.meta.url), 'utf8'),
);
const splitsOf = (nSplits: number) => reference.cases.filter(({ options }) => options.nSplits === nSplits);

describe('TimeSeriesSplit without timestamps equals scikit-learn', () => {
  it.each(casesOf('TimeSeriesSplit'))('%s (test/reference/splitters.json)', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });

  it.each([2, 3, 5, 10])('with %i splits, refusals included (test/reference/timeSeriesSplit.json)', (nSplits) => {
    expect(splitsOf(nSplits).length).toBeGreaterThan(150);
    for (const { n, options, folds } of splitsOf(nSplits)) {
      const split = () => boundsOf(new TimeSeriesSplit(options).split(n));
      const where = `n=${n} ${JSON.stringify(options)}`;
      if (folds === null) expect(split, where).toThrow(InfeasibleSplitError);
      else expect(split(), where).toEqual(folds);
    }
  });
});

describe('TimeSeriesSplit', () => {
  const sides = (options: TimeSeriesSplitOptions, timestamps: ArrayLike<number | Date | string>) =>
    sidesOf(new TimeSeriesSplit(options).split(timestamps.length, { timestamps }));

  it('takes rows in the order of time', () => {
    // by hand: in time the rows are 3 1 4 0 5 2; floor(6 / 3) = 2 rows per test set
    expect(sides({ nSplits: 2 }, [30, 10, 50, 0, 20, 40])).toEqual([
      { train: [1, 3], test: [0, 4], purged: [] },
      { train: [0, 1, 3, 4], test: [2, 5], purged: [] },
    ]);
  });

  it('moves cuts to the next distinct time and never trains on more than maxTrainSize rows', () => {
    // by hand: tests would begin at the places 4 and 6. Place 4 lies within time 2 (places 2 to 4), so the first one
    // begins at 5. With a gap of 1 training ends by place 4, where no time begins, so at 2; before place 6 it ends at 5.
    // The last four places before 5 are 1 to 4, and place 1 begins a time
    const times = [0, 1, 2, 2, 2, 3, 4, 5];
    const options = { nSplits: 2, gap: 1, maxTrainSize: 4 };
    expect(sides(options, times)).toEqual([
      { train: [0, 1], test: [5], purged: [2, 3, 4] },
      { train: [1, 2, 3, 4], test: [6, 7], purged: [5] },
    ]);
    // place 1 and time 2 are four rows, one too many for 3
    expect(sides({ ...options, maxTrainSize: 3 }, times)[1].train).toEqual([2, 3, 4]);
  });

  it('rounds a share up, as HoldOut does', () => {
    // 0.15 of 10 rows is 1.5
    expect(boundsOf(new TimeSeriesSplit({ nSplits: 2, testSize: 0.15 }).split(10))).toEqual([
      [0, 6, 6, 8],
      [0, 8, 8, 10],
    ]);
  });

  it('tells its number of folds without data', () => {
    expect(new TimeSeriesSplit().getNSplits()).toBe(5);
  });
});

describe('TimeSeriesSplit refuses', () => {
  const split =
    (options: object, n = 10, data = {}) =>
    () =>
      new TimeSeriesSplit(options).split(n, data);

  it('bad options', () => {
    expect(split({ nSplits: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`nSplits\` option of TimeSeriesSplit must be an integer >= 2. Got 1.]`,
    );
    expect(split({ nSplits: 2.5 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`nSplits\` option of TimeSeriesSplit must be an integer >= 2. Got 2.5.]`,
    );
    expect(split({ gap: -1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`gap\` option of TimeSeriesSplit must be an integer >= 0. Got -1.]`,
    );
    expect(split({ testSize: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testSize\` option of TimeSeriesSplit must be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1, or null. Got 0.]`,
    );
    expect(split({ testSize: 1.5 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`testSize\` option of TimeSeriesSplit must be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1, or null. Got 1.5.]`,
    );
    expect(split({ maxTrainSize: 0 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`maxTrainSize\` option of TimeSeriesSplit must be an integer >= 1, or null. Got 0.]`,
    );
    expect(split({ shuffle: true })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: TimeSeriesSplit has no option \`shuffle\`. Its options are: nSplits, gap, testSize, maxTrainSize.]`,
    );
  });

  it('too few rows or times', () => {
    expect(split({}, 5)).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`nSplits\` option of TimeSeriesSplit must be less than the number of rows, 5. Got 5.]`,
    );
    expect(split({ gap: 2, testSize: 4, nSplits: 2 })).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: TimeSeriesSplit must have more rows than gap + nSplits * testSize = 2 + 2 * 4 = 10. Got 10.]`,
    );
    expect(split({ testSize: 10 })).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`testSize\` option of TimeSeriesSplit must leave a row to train on, of 10 in all. Got 10.]`,
    );
    const timestamps = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2];
    expect(split({ nSplits: 4 }, 10, { timestamps })).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: TimeSeriesSplit must have rows to train on and to test in each of 4 folds, rows of one time kept together. Got 10 rows at 3 distinct times. Use fewer \`nSplits\`.]`,
    );
    expect(split({ nSplits: 2, gap: 1 }, 10, { timestamps })).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: TimeSeriesSplit must have rows to train on and to test in each of 2 folds, rows of one time kept together. Got 10 rows at 3 distinct times. Use fewer \`nSplits\`.]`,
    );
    expect(split({ nSplits: 2, maxTrainSize: 3 }, 10, { timestamps })).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`maxTrainSize\` option of TimeSeriesSplit must be at least the rows of the last time before fold-0, 4, which stay together. Got 3.]`,
    );
  });

  it('bad times', () => {
    const withTimes = (timestamps: unknown) => split({ nSplits: 2 }, 3, { timestamps });
    expect(withTimes([1, Number.NaN, 2])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: timestamps row 1 must be a finite number, as row 0 is. Got NaN.]`,
    );
    expect(withTimes(['2024-01-01', '2024-02-30', '2024-03-01'])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: timestamps row 1 must be a valid Date or an ISO 8601 string, as row 0 is. Got a string.]`,
    );
    expect(withTimes([new Date(0), new Date(Number.NaN), new Date(1)])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: timestamps row 1 must be a valid Date or an ISO 8601 string, as row 0 is. Got an invalid Date.]`,
    );
    expect(withTimes([1, 2])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: timestamps must have as many values as X has rows, 3. Got 2.]`,
    );
  });
});
