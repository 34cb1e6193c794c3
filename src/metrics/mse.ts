import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/** Mean squared error, in the squared unit of `y`. */
export const mse: Metric = {
  name: 'mse',
  description: 'Mean squared error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  compute(table) {
    const { yTrue, yPred } = table;
    return weightedMean(table, (row) => (yTrue[row] - yPred[row]) ** 2);
  },
};
