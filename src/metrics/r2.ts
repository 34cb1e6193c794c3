import { type Metric, undefinedBecause } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';
import type { ScoreTable } from './scoreTable.js';
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
  weighted: true,
  compute(table) {
    const { yTrue, yPred } = table;
    const variance = weightedVariance(table, (row) => yTrue[row]);
    if (variance === 0) return undefinedBecause('yTrue is constant');
    return 1 - weightedMean(table, (row) => (yTrue[row] - yPred[row]) ** 2) / variance;
  },
  influence: (table, estimate) => explainedInfluence(table, estimate, 0),
};

/**
 * Influence on 1 - sum w (error - offset)^2 / sum w (y - mean)^2, a ratio of sums. The means in it need no term of their
 * own: both sums are smallest there, so that to first order they do not move with the means.
 */
export function explainedInfluence(table: ScoreTable, estimate: number, offset: number): Float64Array {
  const { yTrue, yPred } = table;
  const mean = weightedMean(table, (row) => yTrue[row]);
  return ratioOfSums(() => ({
    part: (row) => -((yTrue[row] - yPred[row] - offset) ** 2),
    whole: (row) => (yTrue[row] - mean) ** 2,
  })).influence(table, estimate - 1);
}
