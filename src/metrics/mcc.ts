import { dot, ofClassCounts, sumOf } from './classCounts.js';
import { type Metric, undefinedBecause } from './metric.js';

/**
 * Matthews correlation coefficient: the correlation of truth and prediction; of more than two classes, Gorodkin's
 * R_K. Undefined where truth or prediction is one class throughout, where scikit-learn gives 0.
 *
 * Source: Matthews 1975, Biochimica et Biophysica Acta 405:442; Gorodkin 2004, Computational Biology and Chemistry 28:367.
 */
export const mcc: Metric = {
  name: 'mcc',
  aliases: ['matthews_corrcoef'],
  description: 'Correlation of truth and prediction (Matthews 1975; more classes, Gorodkin 2004).',
  direction: 'maximize',
  range: [-1, 1],
  tasks: ['binary', 'multiclass'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofClassCounts(({ total, truth, said, both }) => {
    const several = (counts: Float64Array) => counts.filter((count) => count > 0).length > 1;
    if (!several(truth)) return undefinedBecause('only one class is present');
    if (!several(said)) return undefinedBecause('only one class is predicted');
    const hits = sumOf(both);
    const truths = total ** 2 - dot(truth, truth);
    const saids = total ** 2 - dot(said, said);
    const root = Math.sqrt(truths) * Math.sqrt(saids);
    const value = Math.max(-1, Math.min(1, (hits * total - dot(truth, said)) / root));
    return {
      value,
      slope: hits / root - value * total * (1 / truths + 1 / saids),
      slopes: (code) => ({
        both: total / root,
        truth: (value * truth[code]) / truths - said[code] / root,
        said: (value * said[code]) / saids - truth[code] / root,
      }),
    };
  }),
};
