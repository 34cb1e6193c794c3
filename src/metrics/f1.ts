import { confusion, ratio } from './confusion.js';
import type { Metric } from './metric.js';

/** Harmonic mean of precision and recall (van Rijsbergen 1979). Undefined when no row is positive or predicted so. */
export const f1: Metric = {
  name: 'f1',
  description: 'Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  stratum: ({ yTrue, yPred, positive }, row) => (yTrue[row] === positive || yPred[row] === positive ? 0 : -1),
  compute(table) {
    const { truePositive, falsePositive, falseNegative } = confusion(table);
    const whole = 2 * truePositive + falsePositive + falseNegative;
    return ratio(2 * truePositive, whole, 'no row is positive or predicted positive');
  },
};
