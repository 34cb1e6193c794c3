import { describe, expect, it } from 'vitest';
import { ppv } from '../../src/metrics/ppv.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('ppv', () => {
  it('is precision, 3/5 (hand calculation)', () => {
    expect(ppv.compute(table)).toBeCloseTo(3 / 5, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(ppv.compute(scoreTable({ yTrue: [0, 1], yPred: [0, 0] }))).toEqual({
      reason: 'no row is predicted positive',
    });
  });
});
