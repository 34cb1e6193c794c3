import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { TimeSeriesSplit, type TimeSeriesSplitOptions } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { matrix } from '../../helpers/matrix.js';
import { boundsOf, sidesOf } from './places.js';

interface Reference {
  cases: { n: number; options: TimeSeriesSplitOptions; folds: number[][] | null }[];
}
const reference: Reference = JSON.parse(
  readFileSync(new URL('../../reference/timeSeriesSplit.json', import.meta.url), 'utf8'),
);
const splitsOf = (nSplits: number) => reference.cases.filter(({ options }) => options.nSplits === nSplits);

describe('TimeSeriesSplit without timestamps equals scikit-learn', () => {
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
    expect(boundsOf(new TimeSeriesSplit({ nSplits: 2, testSize: 0.15 }).split(10))).toEqual(
      matrix('0 6 6 8 | 0 8 8 10'),
    );
  });
});
