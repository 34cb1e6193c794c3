import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/**
 * Negative predictive value at the prevalence of these rows: share of the rows predicted negative that are negative.
 * Undefined when no row is predicted negative.
 */
export const npv: Metric = {
  name: 'npv',
  description: 'Share of the rows predicted negative that are negative: TN / (TN + FN).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
  proportion: true,
  dependsOnPrevalence: true,
  stratum: ({ yPred, positive }, row) => (yPred[row] === positive ? -1 : 0),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] !== positive && yPred[row] !== positive ? 1 : 0),
      whole: (row) => (yPred[row] !== positive ? 1 : 0),
    }),
    'no row is predicted negative',
  ),
};
