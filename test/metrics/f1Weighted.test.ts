import { describe, expect, it } from 'vitest';
import { f1Weighted } from '../../src/metrics/f1Weighted.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('f1_weighted', () => {
  it('weighs the F1 of a class by its rows (hand calculation: (3 4/5 + 1 2/3) / 4)', () => {
    const table = scoreTable({ yTrue: [0, 0, 0, 1], yPred: [0, 0, 1, 1] });
    expect(f1Weighted.compute(table)).toBeCloseTo((3 * (4 / 5) + 2 / 3) / 4, 14);
  });

  it('gives a class without rows no weight', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'b'], classes: ['a', 'b', 'c'] });
    expect(f1Weighted.compute(table)).toBe(1);
  });

  it('is undefined where no row has a label', () => {
    const table = scoreTable({ yTrue: [[0, 0]], yPred: [[1, 0]], task: 'multilabel' });
    expect(f1Weighted.compute(table)).toEqual({ reason: 'no row has a label' });
  });
});
