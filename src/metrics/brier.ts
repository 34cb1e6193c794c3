import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/**
 * Brier score. Binary: mean of (p - y)^2. Multiclass: mean over rows of half the sum over classes of (p - y)^2, so
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
  tasks: ['binary', 'multiclass'],
  needs: 'probabilities',
  combine: 'pooled',
  dependsOnPrevalence: true,
  compute(table) {
    const { task, yTrue, positive, classes } = table;
    const yProba = table.yProba as Float64Array;
    if (task === 'binary') {
      return weightedMean(table, (row) => (yProba[row] - (yTrue[row] === positive ? 1 : 0)) ** 2);
    }
    const width = classes.length;
    return weightedMean(table, (row) => {
      let sum = 0;
      for (let c = 0; c < width; c++) sum += (yProba[row * width + c] - (yTrue[row] === c ? 1 : 0)) ** 2;
      return sum / 2;
    });
  },
};
