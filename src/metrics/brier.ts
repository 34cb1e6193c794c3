import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/**
 * Brier score. Binary: mean of (p - y)^2. Multilabel: the mean over labels, too.
 * Multiclass: mean over rows of half the sum over classes of (p - y)^2, so
 * that both lie in [0, 1] and two classes give the same number either way. This is scikit-learn's
 * `brier_score_loss(..., scale_by_half=True)`; its default leaves the multiclass sum unhalved, in [0, 2].
 *
 * Source: Brier 1950, Monthly Weather Review 78:1.
 */
export const brier: Metric = {
  name: 'brier',
  description:
    'Mean squared error of the probabilities; multiclass: half the sum over classes, in [0, 1] (Brier 1950).',
  direction: 'minimize',
  range: [0, 1],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'probabilities',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ task, yTrue, positive, classes, yProba: given }) => {
    const yProba = given as Float64Array;
    if (task === 'binary') return { part: (row) => (yProba[row] - (yTrue[row] === positive ? 1 : 0)) ** 2 };
    const width = classes.length;
    return {
      part: (row) => {
        let sum = 0;
        for (let c = 0, at = row * width; c < width; c++, at++) {
          sum += (yProba[at] - (task === 'multilabel' ? yTrue[at] : yTrue[row] === c ? 1 : 0)) ** 2;
        }
        return sum / (task === 'multilabel' ? width : 2);
      },
    };
  }),
};
