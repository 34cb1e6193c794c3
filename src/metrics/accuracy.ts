import type { Metric } from './metric.js';
import { weightedMean } from './weightedMean.js';

/** Share of rows whose label is right; multilabel: whose labels are all right (subset accuracy). */
export const accuracy: Metric = {
  name: 'accuracy',
  aliases: ['acc'],
  description: 'Share of rows whose predicted label is right (multilabel: all labels right).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'labels',
  combine: 'pooled',
  dependsOnPrevalence: true,
  compute(table) {
    const { yTrue, yPred, length } = table;
    const width = yTrue.length / length;
    return weightedMean(table, (row) => {
      for (let j = row * width; j < (row + 1) * width; j++) if (yTrue[j] !== yPred[j]) return 0;
      return 1;
    });
  },
};
