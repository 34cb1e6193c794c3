import type { Metric } from './metric.js';
import { meanOverlap } from './overlap.js';

/**
 * Sørensen-Dice coefficient of each row's labels or mask, 2 |A and B| / (|A| + |B|), mean over rows. A row that is empty
 * in truth and prediction counts 1: nothing is there and nothing was found. This is scikit-learn's
 * `f1_score(average='samples', zero_division=1)`; its default counts such rows 0, and nnU-Net leaves them out.
 *
 * Source: Dice 1945, Ecology 26:297; Sørensen 1948.
 */
export const dice: Metric = {
  name: 'dice',
  description: 'Mean over rows of 2 |A and B| / (|A| + |B|) of labels or masks; 1 where both are empty (Dice 1945).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['multilabel'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...meanOverlap((both, sum) => (2 * both) / sum),
};
