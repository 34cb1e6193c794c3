import { confusion, ratio } from './confusion.js';
import type { Metric } from './metric.js';

/** Share of the rows predicted positive that are positive. Undefined when no row is predicted positive. */
export const precision: Metric = {
  name: 'precision',
  description: 'Share of the rows predicted positive that are positive: TP / (TP + FP).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  stratum: ({ yPred, positive }, row) => (yPred[row] === positive ? 0 : -1),
  compute(table) {
    const { truePositive, falsePositive } = confusion(table);
    return ratio(truePositive, truePositive + falsePositive, 'no row is predicted positive');
  },
};
