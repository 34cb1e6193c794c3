import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { specificity } from '../../src/metrics/specificity.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('specificity', () => {
  it('is TN / (TN + FP) = 4/6 (hand calculation)', () => {
    expect(specificity.compute(table)).toBeCloseTo(4 / 6, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(specificity.compute(scoreTable({ yTrue: [1, 1], yPred: [0, 1] }))).toEqual({ reason: 'no negative rows' });
  });
});
