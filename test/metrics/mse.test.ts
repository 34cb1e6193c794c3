import { describe, expect, it } from 'vitest';
import { mse } from '../../src/metrics/mse.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// scikit-learn's documentation uses these four rows; residuals .5, -.5, 0, -1; sum of squares about the mean 29.1875
const table = scoreTable({ yTrue: [3, -0.5, 2, 7], yPred: [2.5, 0, 2, 8], task: 'regression' });

describe('mse', () => {
  it('is 1.5 / 4 (hand calculation)', () => {
    expect(mse.compute(table)).toBeCloseTo(0.375, 14);
  });
});
