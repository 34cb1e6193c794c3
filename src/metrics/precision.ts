import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Share of the rows predicted positive that are positive. Undefined when no row is predicted positive. */
export const precision: Metric = {
  name: 'precision',
  description: 'Share of the rows predicted positive that are positive: TP / (TP + FP).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
  proportion: true,
  dependsOnPrevalence: true,
  stratum: ({ yPred, positive }, row) => (yPred[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
      whole: (row) => (yPred[row] === positive ? 1 : 0),
    }),
    'no row is predicted positive',
  ),
};
