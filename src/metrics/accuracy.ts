import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

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
  decomposable: true,
  proportion: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ yTrue, yPred, length }) => {
    const width = yTrue.length / length;
    return {
      part: (row) => {
        for (let j = row * width; j < (row + 1) * width; j++) if (yTrue[j] !== yPred[j]) return 0;
        return 1;
      },
    };
  }),
};
