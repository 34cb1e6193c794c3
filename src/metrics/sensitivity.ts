import { confusion, ratio } from './confusion.js';
import type { Metric } from './metric.js';

/** Share of the positive rows that are predicted positive. Undefined without positive rows. */
export const sensitivity: Metric = {
  name: 'sensitivity',
  description: 'Share of the positive rows that are found: TP / (TP + FN).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 0 : -1),
  compute(table) {
    const { truePositive, falseNegative } = confusion(table);
    return ratio(truePositive, truePositive + falseNegative, 'no positive rows');
  },
};
