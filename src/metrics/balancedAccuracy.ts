import { classText } from '../data/labels.js';
import { ofClassCounts } from './classCounts.js';
import { type Metric, undefinedBecause } from './metric.js';

/**
 * Mean over the classes of the share of their rows that is found; binary: (sensitivity + specificity) / 2. Without a
 * row of some class it is undefined, where scikit-learn leaves that class out.
 *
 * Source: Brodersen et al. 2010, "The balanced accuracy and its posterior distribution".
 */
export const balancedAccuracy: Metric = {
  name: 'balanced_accuracy',
  description: 'Mean recall over the classes; binary: (sensitivity + specificity) / 2 (Brodersen 2010).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary', 'multiclass'],
  needs: 'labels',
  combine: 'pooled',
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofClassCounts(({ truth, both }, { classes }) => {
    const absent = truth.indexOf(0);
    if (absent >= 0) return undefinedBecause(`no rows of class ${classText(classes, absent)}`);
    const k = classes.length;
    return {
      value: both.reduce((sum, hits, code) => sum + hits / truth[code], 0) / k,
      slopes: (code) => ({ both: 1 / (k * truth[code]), truth: -both[code] / (k * truth[code] ** 2), said: 0 }),
    };
  }),
};
