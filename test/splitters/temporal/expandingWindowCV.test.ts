import { describe, expect, it } from 'vitest';
import { ExpandingWindowCV, type ExpandingWindowCVOptions } from '../../../src/splitters/temporal/expandingWindowCV.js';
import { matrix } from '../../helpers/matrix.js';
import { boundsOf, reference, sidesOf } from './places.js';

describe('ExpandingWindowCV without timestamps equals rsample::sliding_window(lookback = Inf)', () => {
  it.each([12, 30, 57])('on %i rows (test/reference/timeWindows.json)', (n) => {
    const cases = reference.windows.filter((each) => each.n === n);
    expect(cases.length).toBeGreaterThan(20);
    for (const { size: initialTrainSize, stepSize, forecastHorizon, gap, expanding } of cases) {
      const splitter = new ExpandingWindowCV({ initialTrainSize, stepSize, forecastHorizon, gap });
      expect(boundsOf(splitter.split(n))).toEqual(expanding);
      expect(splitter.getNSplits(n)).toBe(expanding.length);
    }
  });
});

describe('ExpandingWindowCV', () => {
  const sides = (options: ExpandingWindowCVOptions, timestamps: ArrayLike<number | Date | string>) =>
    sidesOf(new ExpandingWindowCV(options).split(timestamps.length, { timestamps }));

  it('trains on ten rows first', () => {
    expect(boundsOf(new ExpandingWindowCV().split(12))).toEqual(matrix('0 10 10 11 | 0 11 11 12'));
  });

  it('takes rows in the order of time, whole times at once', () => {
    // by hand: in time the rows are 5 | 0 1 | 4 | 2 3; two rows are not enough without row 1, so the first cut is at 3
    expect(sides({ initialTrainSize: 2 }, [1, 1, 3, 3, 2, 0])).toEqual([
      { train: [0, 1, 5], test: [4], purged: [] },
      { train: [0, 1, 4, 5], test: [2, 3], purged: [] },
    ]);
  });

  it('trains on no row less than asked for when times are shared before a gap', () => {
    // by hand: time 0 holds five rows, so training ends at 5 although 3 were enough; one row later the test begins
    expect(sides({ initialTrainSize: 3, gap: 1 }, [0, 0, 0, 0, 0, 1, 2])).toEqual([
      { train: [0, 1, 2, 3, 4], test: [6], purged: [5] },
    ]);
  });
});
