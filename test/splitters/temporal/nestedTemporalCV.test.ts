import { describe, expect, it } from 'vitest';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { NestedTemporalCV } from '../../../src/splitters/temporal/nestedTemporalCV.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { nestedFolds } from '../../helpers/nestedFolds.js';

describe('the inner folds of NestedTemporalCV', () => {
  it('lie before the outer test rows in time', () => {
    const timestamps = Array.from({ length: 60 }, (_, row) => (row * 37) % 60);
    const nested = new NestedTemporalCV({
      outerCv: new TimeSeriesSplit({ nSplits: 3 }),
      innerCv: new TimeSeriesSplit({ nSplits: 2 }),
    });
    const times = (rows: Int32Array) => Array.from(rows, (row) => timestamps[row]);
    for (const { test, inner } of nestedFolds(nested, 60, undefined, { timestamps })) {
      for (const fold of inner) {
        expect(Math.max(...times(fold.train))).toBeLessThan(Math.min(...times(fold.test)));
        expect(Math.max(...times(fold.test))).toBeLessThan(Math.min(...times(test)));
      }
    }
  });
});

describe('NestedTemporalCV refuses', () => {
  it('splitters that do not protect time, and too few rows for its defaults', () => {
    expect(() => new NestedTemporalCV({ outerCv: new KFold() })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`outerCv\` option of NestedTemporalCV must protect time (claim \`timeOrdered\` or \`disjointIntervals\`). Got an object of class KFold. Use NestedCV for other designs.]`,
    );
    expect(() => new NestedTemporalCV().split(50)).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: ExpandingWindowCV must have room for one fold, initialTrainSize + gap + forecastHorizon = 100 + 0 + 1 = 101 rows, rows of one time kept together. Got 50 rows.]`,
    );
  });
});
