import { dot, ofClassCounts, sumOf } from './classCounts.js';
import { type Metric, undefinedBecause } from './metric.js';

/**
 * Cohen's kappa, unweighted: agreement of truth and prediction beyond that of chance, (po - pe) / (1 - pe). Undefined
 * where truth and prediction are one and the same class throughout.
 *
 * Source: Cohen 1960, Educational and Psychological Measurement 20:37.
 */
export const cohenKappa: Metric = {
  name: 'cohen_kappa',
  aliases: ['kappa'],
  description: 'Agreement of truth and prediction beyond chance, (po - pe) / (1 - pe) (Cohen 1960).',
  direction: 'maximize',
  range: [-1, 1],
  tasks: ['binary', 'multiclass'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofClassCounts(({ total, truth, said, both }) => {
    // Times total^2: chance is total^2 pe, hits * total is total^2 po.
    const [hits, chance] = [sumOf(both), dot(truth, said)];
    if (truth.some((count, code) => count === total && said[code] === total)) {
      return undefinedBecause('truth and prediction are one class');
    }
    const below = total ** 2 - chance;
    const value = (hits * total - chance) / below;
    return {
      value,
      slope: (hits - 2 * value * total) / below,
      slopes: (code) => ({
        both: total / below,
        truth: ((value - 1) * said[code]) / below,
        said: ((value - 1) * truth[code]) / below,
      }),
    };
  }),
};
