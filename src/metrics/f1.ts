import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Harmonic mean of precision and recall (van Rijsbergen 1979). Undefined when no row is positive or predicted so. */
export const f1: Metric = {
  name: 'f1',
  description: 'Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
  dependsOnPrevalence: true,
  stratum: ({ yTrue, yPred, positive }, row) => (yTrue[row] === positive || yPred[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 2 : 0),
      whole: (row) => (yTrue[row] === positive ? 1 : 0) + (yPred[row] === positive ? 1 : 0),
    }),
    'no row is positive or predicted positive',
  ),
};
