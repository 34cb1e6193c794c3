import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/** Share of the labels, over rows and label columns, that are predicted wrongly. */
export const hammingLoss: Metric = {
  name: 'hamming_loss',
  description: 'Share of labels, over rows and label columns, that are wrong (Schapire & Singer 1999).',
  direction: 'minimize',
  range: [0, 1],
  tasks: ['multilabel'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ yTrue, yPred, classes: { length: width } }) => ({
    part: (row) => {
      let wrong = 0;
      for (let at = row * width; at < (row + 1) * width; at++) if (yTrue[at] !== yPred[at]) wrong++;
      return wrong / width;
    },
  })),
};
