import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Share of the positive rows that are predicted positive. Undefined without positive rows. */
export const sensitivity: Metric = {
  name: 'sensitivity',
  description: 'Share of the positive rows that are found: TP / (TP + FN).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
  proportion: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
      whole: (row) => (yTrue[row] === positive ? 1 : 0),
    }),
    'no positive rows',
  ),
};
