import { describe, expect, it } from 'vitest';
import { npv } from '../../src/metrics/npv.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('npv', () => {
  it('is TN / (TN + FN) = 4/5 (hand calculation)', () => {
    expect(npv.compute(table)).toBeCloseTo(4 / 5, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(npv.compute(scoreTable({ yTrue: [0, 1], yPred: [1, 1] }))).toEqual({
      reason: 'no row is predicted negative',
    });
  });
});
