import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Mean squared error, in the squared unit of `y`. */
export const mse: Metric = {
  name: 'mse',
  description: 'Mean squared error.',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  ...ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => (yTrue[row] - yPred[row]) ** 2 })),
};
