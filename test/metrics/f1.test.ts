import { describe, expect, it } from 'vitest';
import { f1 } from '../../src/metrics/f1.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('f1', () => {
  it('is 2 TP / (2 TP + FP + FN) = 6/9 (hand calculation)', () => {
    expect(f1.compute(table)).toBeCloseTo(6 / 9, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(f1.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 0] }))).toEqual({
      reason: 'no row is positive or predicted positive',
    });
  });
});
