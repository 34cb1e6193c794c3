import { confusion, ratio } from './confusion.js';
import type { Metric } from './metric.js';

/** Share of the negative rows that are predicted negative. Undefined without negative rows. */
export const specificity: Metric = {
  name: 'specificity',
  description: 'Share of the negative rows that are ruled out: TN / (TN + FP).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? -1 : 0),
  compute(table) {
    const { trueNegative, falsePositive } = confusion(table);
    return ratio(trueNegative, trueNegative + falsePositive, 'no negative rows');
  },
};
