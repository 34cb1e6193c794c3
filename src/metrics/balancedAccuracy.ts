import { show } from '../core/errors.js';
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
  compute({ yTrue, yPred, weight, length, classes }) {
    const hits = new Float64Array(classes.length);
    const totals = new Float64Array(classes.length);
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      totals[yTrue[row]] += w;
      if (yTrue[row] === yPred[row]) hits[yTrue[row]] += w;
    }
    const absent = totals.indexOf(0);
    if (absent >= 0) return undefinedBecause(`no rows of class ${show(classes[absent])}`);
    return hits.reduce((sum, hit, code) => sum + hit / totals[code], 0) / classes.length;
  },
};
