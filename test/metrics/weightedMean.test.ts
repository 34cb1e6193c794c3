import { describe, expect, it } from 'vitest';
import { weightedMean, weightedVariance } from '../../src/metrics/ratioOfSums.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [1, 2, 4], yPred: [0, 0, 0], task: 'regression' });
const weighted = { ...table, weight: Float64Array.of(1, 2, 0) };

describe('weightedMean', () => {
  it('weighs rows and leaves out those of weight 0 (hand calculation)', () => {
    expect(weightedMean(table, (row) => table.yTrue[row])).toBeCloseTo(7 / 3, 14);
    expect(weightedMean(weighted, (row) => table.yTrue[row])).toBeCloseTo(5 / 3, 14);
    expect(weightedMean(weighted, (row) => (row === 2 ? Number.POSITIVE_INFINITY : 1))).toBe(1);
  });
});

describe('weightedVariance', () => {
  it('is the mean square about the mean (hand calculation: (4/9 + 2 * 1/9) / 3)', () => {
    expect(weightedVariance(weighted, (row) => table.yTrue[row])).toBeCloseTo(2 / 9, 14);
  });

  it('is exactly 0 for equal values, whose mean may be rounded', () => {
    expect(weightedVariance(table, () => 0.1)).toBe(0);
  });
});
