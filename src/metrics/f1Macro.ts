import { classText } from '../data/labels.js';
import { ofClassCounts } from './classCounts.js';
import { type Metric, undefinedBecause } from './metric.js';

/**
 * Mean over the classes (multilabel: the labels) of their F1, each counting alike. A class that is neither present nor
 * predicted has no F1, 0/0, and neither has the mean then: leaving the class out would give a mean over other classes,
 * and scikit-learn's 0 would be made up. A class that is present and never predicted, or the reverse, counts 0.
 *
 * Source: Yang 1999, Information Retrieval 1:69; the mean of the F1 of Opitz & Burst 2019, arXiv:1911.03347.
 */
export const f1Macro: Metric = {
  name: 'f1_macro',
  description: 'Mean F1 over the classes or labels; undefined where one is neither present nor predicted (Yang 1999).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  stratum: ({ task, yTrue }, row) => (task === 'multilabel' ? 0 : yTrue[row]),
  ...ofClassCounts(({ truth, said, both }, { classes }) => {
    const k = classes.length;
    const whole = truth.map((count, code) => count + said[code]);
    const absent = whole.indexOf(0);
    if (absent >= 0) return undefinedBecause(`class ${classText(classes, absent)} is neither present nor predicted`);
    const each = both.map((count, code) => (2 * count) / whole[code]);
    return {
      value: each.reduce((sum, f1) => sum + f1, 0) / k,
      slopes: (code) => {
        const slope = -each[code] / (k * whole[code]);
        return { both: 2 / (k * whole[code]), truth: slope, said: slope };
      },
    };
  }),
};
