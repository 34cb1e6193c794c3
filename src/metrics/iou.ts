import type { Metric } from './metric.js';
import { meanOverlap } from './overlap.js';

/**
 * Intersection over union (Jaccard index) of each row's labels or mask, |A and B| / |A or B|, mean over rows. A row that
 * is empty in truth and prediction counts 1, as in dice. This is scikit-learn's
 * `jaccard_score(average='samples', zero_division=1)`.
 *
 * Source: Jaccard 1912, New Phytologist 11:37.
 */
export const iou: Metric = {
  name: 'iou',
  aliases: ['jaccard'],
  description: 'Mean over rows of |A and B| / |A or B| of labels or masks; 1 where both are empty (Jaccard 1912).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['multilabel'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...meanOverlap((both, sum) => both / (sum - both)),
};
