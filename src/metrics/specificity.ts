import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Share of the negative rows that are predicted negative. Undefined without negative rows. */
export const specificity: Metric = {
  name: 'specificity',
  description: 'Share of the negative rows that are ruled out: TN / (TN + FP).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
  proportion: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? -1 : 0),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] !== positive && yPred[row] !== positive ? 1 : 0),
      whole: (row) => (yTrue[row] !== positive ? 1 : 0),
    }),
    'no negative rows',
  ),
};
