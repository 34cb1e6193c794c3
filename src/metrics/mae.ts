import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Mean absolute error, in the unit of `y`. */
export const mae: Metric = {
  name: 'mae',
  description: 'Mean absolute error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  ...ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => Math.abs(yTrue[row] - yPred[row]) })),
};
