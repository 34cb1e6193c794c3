import { describe, expect, it } from 'vitest';
import { mcc } from '../../src/metrics/mcc.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('mcc', () => {
  it('is (TP TN - FP FN) / sqrt of the product of the margins (hand calculation: 10 / sqrt(4 6 5 5))', () => {
    expect(mcc.compute(table)).toBeCloseTo(10 / Math.sqrt(600), 14);
  });

  it("of more classes is Gorodkin's R_K (hand calculation)", () => {
    // 4 of 6 right; truth 2, 2, 2; predicted 2, 3, 1: (4 6 - 12) / sqrt((36 - 12) (36 - 14))
    const three = scoreTable({ yTrue: ['a', 'a', 'b', 'b', 'c', 'c'], yPred: ['a', 'b', 'b', 'b', 'c', 'a'] });
    expect(mcc.compute(three)).toBeCloseTo(12 / Math.sqrt(24 * 22), 14);
  });

  it('is undefined, never 0, where truth or prediction is one class', () => {
    expect(mcc.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({ reason: 'only one class is present' });
    expect(mcc.compute(scoreTable({ yTrue: [0, 1], yPred: [1, 1] }))).toEqual({
      reason: 'only one class is predicted',
    });
    const absent = scoreTable({ yTrue: [0, 0, 1], yPred: [0, 1, 1], sampleWeight: [1, 1, 0] });
    expect(mcc.compute(absent)).toEqual({ reason: 'only one class is present' });
  });
});
