import { describe, expect, it } from 'vitest';
import { recall } from '../../src/metrics/recall.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('recall', () => {
  it('is sensitivity, 3/4 (hand calculation)', () => {
    expect(recall.compute(table)).toBeCloseTo(3 / 4, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(recall.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({ reason: 'no positive rows' });
  });
});
