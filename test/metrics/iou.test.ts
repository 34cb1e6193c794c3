import { describe, expect, it } from 'vitest';
import { iou } from '../../src/metrics/iou.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// By hand: both 1 of 3 in either: 1/3. |A or B| = 2, none in both: 0. Both empty: 1.
const table = (sampleWeight: number[] = [1, 1, 1]) =>
  scoreTable({
    yTrue: [
      [1, 1, 0],
      [0, 1, 0],
      [0, 0, 0],
    ],
    yPred: [
      [0, 1, 1],
      [1, 0, 0],
      [0, 0, 0],
    ],
    sampleWeight,
  });

describe('iou', () => {
  it('is |A and B| / |A or B|, mean over rows: (1/3 + 0 + 1) / 3 (hand calculation)', () => {
    expect(iou.compute(table())).toBeCloseTo(4 / 9, 14);
  });

  it('is 1 where there is nothing and nothing is found', () => {
    expect(iou.compute(table([0, 0, 2]))).toBe(1);
  });

  it('is found by its other name', () => {
    expect(metricRegistry.get('jaccard')).toBe(iou);
  });
});
