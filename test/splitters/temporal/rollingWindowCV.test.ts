import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { RollingWindowCV, type RollingWindowCVOptions } from '../../../src/splitters/temporal/rollingWindowCV.js';
import { refusal } from '../../helpers/messages.js';
import { boundsOf, reference, sidesOf } from './places.js';

describe('RollingWindowCV without timestamps equals rsample::sliding_window (test/reference/timeWindows.json)', () => {
  it.each([12, 30, 57])('on %i rows', (n) => {
    const cases = reference.windows.filter((each) => each.n === n);
    expect(cases.length).toBeGreaterThan(20);
    for (const { size: windowSize, stepSize, forecastHorizon, gap, rolling } of cases) {
      const splitter = new RollingWindowCV({ windowSize, stepSize, forecastHorizon, gap });
      expect(boundsOf(splitter.split(n))).toEqual(rolling);
      expect(splitter.getNSplits(n)).toBe(rolling.length);
    }
  });
});

describe('RollingWindowCV', () => {
  const sides = (options: RollingWindowCVOptions, timestamps: ArrayLike<number | Date | string>) =>
    sidesOf(new RollingWindowCV(options).split(timestamps.length, { timestamps }));

  it('takes rows in the order of time and names those in the gap', () => {
    // by hand: in time the rows are 4 3 2 1 0
    expect(sides({ windowSize: 2, gap: 1 }, [9, 7, 5, 3, 1])).toEqual([
      { train: [3, 4], test: [1], purged: [2] },
      { train: [2, 3], test: [0], purged: [1] },
    ]);
  });

  it('keeps rows of one time together and makes folds that coincide once', () => {
    // by hand: windows would end at the places 2 3 4 5; places 2 and 3 lie in or end time 1, so the windows end at
    // 3 (twice, once made), 4 and 5. Two places before 3 lies time 1, before 4 too: its start is at 1, so one place
    // before 4 trains alone, and time 1 alone has two rows
    expect(sides({ windowSize: 2 }, [0, 1, 1, 2, 3, 4])).toEqual([
      { train: [1, 2], test: [3], purged: [] },
      { train: [3], test: [4], purged: [] },
      { train: [3, 4], test: [5], purged: [] },
    ]);
  });

  it('trains on a time that alone exceeds the window', () => {
    expect(sides({ windowSize: 2 }, [0, 1, 1, 1, 2])).toEqual([{ train: [1, 2, 3], test: [4], purged: [] }]);
  });

  it('takes in training what lies before the gap, and leaves a longer gap where times are shared', () => {
    // by hand: the window ends at 5, where time 0 ends; place 6 lies within time 1 (places 5-7), so the test begins at
    // 8; a row of time 1 cannot train without the others
    expect(sides({ windowSize: 4, gap: 1 }, [0, 0, 0, 0, 0, 1, 1, 1, 2])).toEqual([
      { train: [0, 1, 2, 3, 4], test: [8], purged: [5, 6, 7] },
    ]);
    // the window would end at 1, the gap at 3, within time 1 (places 2-4): the test begins at 5, and all up to place 2
    // lies far enough before it
    expect(sides({ windowSize: 1, gap: 2, stepSize: 9 }, [0, 0.5, 1, 1, 1, 2])).toEqual([
      { train: [1], test: [5], purged: [2, 3, 4] },
    ]);
  });

  it('needs the data to tell its number of folds', () => {
    const splitter = new RollingWindowCV({ windowSize: 2 });
    expect(splitter.getNSplits(6)).toBe(4);
    expect(splitter.getNSplits(6, { timestamps: [0, 1, 1, 2, 3, 4] })).toBe(3);
    expect(() => splitter.getNSplits()).toThrow(refusal('invalid_data', 'X'));
    expect(() => splitter.getNSplits(2)).toThrow(InfeasibleSplitError);
  });

  it('makes one fold of a hundred thousand steps that end in one cut', () => {
    const timestamps = Float64Array.from({ length: 100_001 }, (_, row) => Number(row === 100_000));
    expect(new RollingWindowCV({ windowSize: 1 }).getNSplits(100_001, null, { timestamps })).toBe(1);
  });
});
