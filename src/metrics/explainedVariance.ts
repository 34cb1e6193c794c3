import { type Metric, undefinedBecause } from './metric.js';
import { explainedInfluence } from './r2.js';
import { weightedMean, weightedVariance } from './weightedMean.js';

/**
 * As R2, but forgiving a constant offset: 1 - variance of the residuals / variance of `y`. Undefined when `y` is
 * constant, where scikit-learn gives 0 or 1.
 */
export const explainedVariance: Metric = {
  name: 'explained_variance',
  description: '1 - variance of the residuals / variance of y.',
  direction: 'maximize',
  range: [Number.NEGATIVE_INFINITY, 1],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  weighted: true,
  compute(table) {
    const { yTrue, yPred } = table;
    const variance = weightedVariance(table, (row) => yTrue[row]);
    if (variance === 0) return undefinedBecause('yTrue is constant');
    return 1 - weightedVariance(table, (row) => yTrue[row] - yPred[row]) / variance;
  },
  influence: (table, estimate) =>
    explainedInfluence(
      table,
      estimate,
      weightedMean(table, (row) => table.yTrue[row] - table.yPred[row]),
    ),
};
