import { describe, expect, it } from 'vitest';
import { NestedTemporalCV } from '../../../src/splitters/temporal/nestedTemporalCV.js';
import { PurgedKFoldCV } from '../../../src/splitters/temporal/purgedKFoldCV.js';
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

it('gives the rows that inner folds keep out, in row numbers of the full data', () => {
  const timestamps = Array.from({ length: 40 }, (_, row) => (row * 7) % 40);
  const nested = new NestedTemporalCV({
    outerCv: new PurgedKFoldCV({ nSplits: 4 }),
    innerCv: new PurgedKFoldCV({ nSplits: 2, purgeGap: 2, embargoSize: 0.1 }),
  });
  for (const { train, inner } of nestedFolds(nested, 40, undefined, { timestamps })) {
    const [first, second] = inner.map((fold) => [...fold.test].sort((a, b) => timestamps[a] - timestamps[b]));
    // 30 rows train: two of gap and then three (a tenth) of embargo after the first half, the gap before the second
    const ascending = (rows: number[]) => Int32Array.from(rows).sort();
    expect(inner.map(({ excluded }) => excluded)).toEqual([
      { purged: ascending(second.slice(0, 2)), embargoed: ascending(second.slice(2, 5)) },
      { purged: ascending(first.slice(-2)) },
    ]);
    expect(first.length + second.length).toBe(train.length);
  }
});
