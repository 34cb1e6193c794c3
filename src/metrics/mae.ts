import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/** Mean absolute error, in the unit of `y`. */
export const mae: Metric = {
  name: 'mae',
  description: 'Mean absolute error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  compute(table) {
    const { yTrue, yPred } = table;
    return weightedMean(table, (row) => Math.abs(yTrue[row] - yPred[row]));
  },
};
