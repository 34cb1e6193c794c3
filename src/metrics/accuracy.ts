import type { Metric } from './metric.js';

/** Share of rows whose label is right; multilabel: whose labels are all right (subset accuracy). */
export const accuracy: Metric = {
  name: 'accuracy',
  description: 'Share of rows whose predicted label is right (multilabel: all labels right).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'labels',
  combine: 'pooled',
  compute({ yTrue, yPred, weight, length }) {
    const width = yTrue.length / length;
    let hits = 0;
    let total = 0;
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      let right = true;
      for (let j = row * width; j < (row + 1) * width; j++) right &&= yTrue[j] === yPred[j];
      total += w;
      if (right) hits += w;
    }
    return hits / total;
  },
};
