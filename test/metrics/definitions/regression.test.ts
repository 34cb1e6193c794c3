import { describe, expect, it } from 'vitest';
import {
  concordanceCorrelation,
  explainedVariance,
  mae,
  mse,
  r2,
  rmse,
} from '../../../src/metrics/definitions/regression.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

// scikit-learn's documentation uses these four rows; residuals .5, -.5, 0, -1; sum of squares about the mean 29.1875
const table = scoreTable({ yTrue: [3, -0.5, 2, 7], yPred: [2.5, 0, 2, 8], task: 'regression' });

describe('metrics of numbers', () => {
  it.each([
    ['mse is 1.5 / 4', mse, 0.375],
    ['rmse is the root of 1.5 / 4', rmse, Math.sqrt(0.375)],
    ['mae is 2 / 4', mae, 0.5],
    ['r2 is 1 - 1.5 / 29.1875', r2, 1 - 1.5 / 29.1875],
    ['explained_variance forgives the mean residual, -.25: 1 - 1.25 / 29.1875', explainedVariance, 1 - 1.25 / 29.1875],
  ])('%s (hand calculation)', (_, metric, value) => {
    expect(metric.compute(table)).toBeCloseTo(value, 14);
  });

  it('of what is explained are undefined for constant truth, also where its mean is rounded', () => {
    const constant = scoreTable({ yTrue: [0.1, 0.1, 0.1], yPred: [0.1, 0.2, 0.3], task: 'regression' });
    for (const metric of [r2, explainedVariance]) {
      expect(metric.compute(constant)).toEqual({ reason: 'yTrue is constant' });
    }
  });
});

const agreement = (yTrue: number[], yPred: number[]) =>
  concordanceCorrelation.compute(scoreTable({ yTrue, yPred, task: 'regression' }));

describe('concordance_correlation', () => {
  it('is 2 cov / (var + var + difference^2) (hand calculation: (4/3) / (4/3 + 1))', () => {
    expect(agreement([1, 2, 3], [2, 3, 4])).toBeCloseTo(4 / 7, 14);
  });

  it('of the reverse order is -1', () => {
    expect(agreement([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 14);
  });

  it('is 0 for one constant, undefined for twice the same', () => {
    expect(agreement([1, 2, 3], [2, 2, 2])).toBe(0);
    expect(agreement([0.1, 0.1, 0.1], [0.1, 0.1, 0.1])).toEqual({
      reason: 'yTrue and yPred are the same constant',
    });
  });
});
