import { type Metric, undefinedBecause } from './metric.js';
import { weightedMean, weightedVariance } from './weightedMean.js';

/**
 * Share of the variance of `y` that is explained: 1 - MSE / variance. Below 0 when the mean of `y` would do better;
 * undefined when `y` is constant, where scikit-learn gives 0 or 1.
 */
export const r2: Metric = {
  name: 'r2',
  description: 'Coefficient of determination, 1 - MSE / variance of y.',
  direction: 'maximize',
  range: [Number.NEGATIVE_INFINITY, 1],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  compute(table) {
    const { yTrue, yPred } = table;
    const variance = weightedVariance(table, (row) => yTrue[row]);
    if (variance === 0) return undefinedBecause('yTrue is constant');
    return 1 - weightedMean(table, (row) => (yTrue[row] - yPred[row]) ** 2) / variance;
  },
};
