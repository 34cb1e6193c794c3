import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/**
 * Mean of -ln(probability given to the true class). Probabilities are clipped to [eps, 1 - eps] with eps = 2^-52, as
 * scikit-learn's `log_loss` does for doubles, so that one impossible row costs 36.04 and not infinity.
 *
 * Source: Good 1952, Journal of the Royal Statistical Society B 14:107.
 */
export const logLoss: Metric = {
  name: 'log_loss',
  description: 'Mean negative log-probability of the true class, clipped at 2^-52 as in scikit-learn (Good 1952).',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['binary', 'multiclass'],
  needs: 'probabilities',
  combine: 'pooled',
  dependsOnPrevalence: true,
  compute(table) {
    const { task, yTrue, positive, classes } = table;
    const yProba = table.yProba as Float64Array;
    const width = classes.length;
    return weightedMean(table, (row) => {
      if (task !== 'binary') return loss(yProba[row * width + yTrue[row]]);
      return loss(yTrue[row] === positive ? yProba[row] : 1 - yProba[row]);
    });
  },
};

const loss = (p: number) => -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, p)));
