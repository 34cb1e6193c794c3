import { meanArea } from './meanArea.js';
import type { Metric } from './metric.js';

/**
 * Area under the ROC curve: the probability that a positive row scores higher than a negative one, ties counting one
 * half. Exact with ties and weights (no trapezoids, no bins), O(n log n). Never turned round: a model that ranks the
 * wrong way scores below .5.
 *
 * Source: Hanley & McNeil 1982, Radiology 143:29; the Mann-Whitney form.
 */
export const rocAuc: Metric = {
  name: 'roc_auc',
  description:
    'Probability that a positive row scores above a negative one, ties counting half (Hanley & McNeil 1982).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'mean',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  ...meanArea((table) => [{ ...table, scores: table.yProba as Float64Array }]),
};
