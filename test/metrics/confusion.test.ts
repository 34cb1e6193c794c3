import { describe, expect, it } from 'vitest';
import { confusion } from '../../src/metrics/confusion.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('confusion', () => {
  it('counts rows by truth and prediction', () => {
    const counts = { truePositive: 3, falseNegative: 1, falsePositive: 2, trueNegative: 4 };
    expect(confusion(table)).toEqual(counts);
    const weight = new Float64Array(10).fill(2);
    expect(confusion({ ...table, weight })).toEqual({
      truePositive: 6,
      falseNegative: 2,
      falsePositive: 4,
      trueNegative: 8,
    });
  });

  it('takes the positive class from the table', () => {
    expect(confusion({ ...table, positive: 0 })).toMatchObject({ truePositive: 4, trueNegative: 3 });
  });
});
