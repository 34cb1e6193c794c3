import { describe, expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/accuracy.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('accuracy', () => {
  it('is (TP + TN) / n = 7/10 (hand calculation)', () => {
    expect(accuracy.compute(table)).toBeCloseTo(0.7, 14);
  });

  it('of several labels counts a row only when all are right (hand calculation: 1 of 2)', () => {
    const yTrue = [
      [1, 0, 1],
      [0, 0, 1],
    ];
    expect(
      accuracy.compute(
        scoreTable({
          yTrue,
          yPred: [
            [1, 0, 1],
            [0, 1, 1],
          ],
          task: 'multilabel',
        }),
      ),
    ).toBe(0.5);
  });
});
