import { ofClassCounts, sumOf } from './classCounts.js';
import { f1Macro } from './f1Macro.js';
import { type Metric, undefinedBecause } from './metric.js';

/**
 * Mean over the classes (multilabel: the labels) of their F1, weighted by the number of rows that are of the class.
 * Classes that are not present weigh 0, as in scikit-learn. Undefined only where no row has any label.
 *
 * Source: as {@link f1Macro}; the weights are scikit-learn's `average='weighted'`.
 */
export const f1Weighted: Metric = {
  ...f1Macro,
  name: 'f1_weighted',
  description: 'Mean F1 over the classes or labels, weighted by how many rows are of each.',
  ...ofClassCounts(({ truth, said, both }) => {
    const total = sumOf(truth);
    if (total === 0) return undefinedBecause('no row has a label');
    const f1 = (code: number) => (truth[code] > 0 ? (2 * both[code]) / (truth[code] + said[code]) : 0);
    const value = truth.reduce((sum, count, code) => sum + count * f1(code), 0) / total;
    return {
      value,
      slopes: (code) => {
        const share = truth[code] > 0 ? truth[code] / (truth[code] + said[code]) : 0;
        return {
          both: (2 * share) / total,
          truth: (f1(code) * (1 - share) - value) / total,
          said: (-f1(code) * share) / total,
        };
      },
    };
  }),
};
