import { describe, expect, it } from 'vitest';
import { explainedVariance } from '../../src/metrics/explainedVariance.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// scikit-learn's documentation uses these four rows; residuals .5, -.5, 0, -1; sum of squares about the mean 29.1875
const table = scoreTable({ yTrue: [3, -0.5, 2, 7], yPred: [2.5, 0, 2, 8], task: 'regression' });

describe('explained_variance', () => {
  it('is 1 - 1.25 / 29.1875: the mean residual, -.25, is forgiven (hand calculation)', () => {
    expect(explainedVariance.compute(table)).toBeCloseTo(1 - 1.25 / 29.1875, 14);
  });

  it('is undefined for constant truth, also where its mean is rounded', () => {
    const constant = scoreTable({ yTrue: [0.1, 0.1, 0.1], yPred: [0.1, 0.2, 0.3], task: 'regression' });
    expect(explainedVariance.compute(constant)).toEqual({ reason: 'yTrue is constant' });
  });
});
