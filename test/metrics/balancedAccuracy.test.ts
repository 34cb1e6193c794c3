import { describe, expect, it } from 'vitest';
import { balancedAccuracy } from '../../src/metrics/balancedAccuracy.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('balanced_accuracy', () => {
  it('is (3/4 + 4/6) / 2 (hand calculation)', () => {
    expect(balancedAccuracy.compute(table)).toBeCloseTo(17 / 24, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(balancedAccuracy.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({
      reason: 'no rows of class 1',
    });
  });
});
