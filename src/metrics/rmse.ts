import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/** Square root of the mean squared error, in the unit of `y`. */
export const rmse: Metric = {
  name: 'rmse',
  description: 'Square root of the mean squared error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  compute(table) {
    const { yTrue, yPred } = table;
    return Math.sqrt(weightedMean(table, (row) => (yTrue[row] - yPred[row]) ** 2));
  },
};
