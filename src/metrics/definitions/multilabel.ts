import type { Metric } from '../metric.js';
import { ratioOfSums } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';

const LABELS = {
  range: [0, 1],
  tasks: ['multilabel'],
  needs: 'labels',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
} as const;

/** Share of the labels, over rows and label columns, that are predicted wrongly. */
export const hammingLoss: Metric = {
  ...LABELS,
  name: 'hamming_loss',
  description: 'Share of labels, over rows and label columns, that are wrong (Schapire & Singer 1999).',
  direction: 'minimize',
  ...ratioOfSums(({ yTrue, yPred, classes: { length: width } }) => ({
    part: (row) => {
      let wrong = 0;
      for (let at = row * width; at < (row + 1) * width; at++) if (yTrue[at] !== yPred[at]) wrong++;
      return wrong / width;
    },
  })),
};

/**
 * Sørensen-Dice coefficient of each row's labels or mask, 2 |A and B| / (|A| + |B|), mean over rows. A row that is
 * empty in truth and prediction counts 1: nothing is there and nothing was found. This is scikit-learn's
 * `f1_score(average='samples', zero_division=1)`; its default counts such rows 0, and nnU-Net leaves them out.
 *
 * Source: Dice 1945, Ecology 26:297; Sørensen 1948.
 */
export const dice: Metric = {
  ...LABELS,
  name: 'dice',
  description: 'Mean over rows of 2 |A and B| / (|A| + |B|) of labels or masks; 1 where both are empty (Dice 1945).',
  direction: 'maximize',
  ...meanOverlap((both, sum) => (2 * both) / sum),
};

/** {@link dice} under scikit-learn's name for labels: the mean over rows of the F1 of the row's labels. */
export const f1Samples: Metric = {
  ...dice,
  name: 'f1_samples',
  description: 'Mean over rows of the F1 of their labels, 1 for a row without any; the same number as dice.',
};

/**
 * Intersection over union (Jaccard index) of each row's labels or mask, |A and B| / |A or B|, mean over rows. A row
 * that is empty in truth and prediction counts 1, as in dice. This is scikit-learn's `jaccard_score(average='samples',
 * zero_division=1)`.
 *
 * Source: Jaccard 1912, New Phytologist 11:37.
 */
export const iou: Metric = {
  ...LABELS,
  name: 'iou',
  aliases: ['jaccard'],
  description: 'Mean over rows of |A and B| / |A or B| of labels or masks; 1 where both are empty (Jaccard 1912).',
  direction: 'maximize',
  ...meanOverlap((both, sum) => both / (sum - both)),
};

/** `share(|A and B|, |A| + |B|)` of the true set A and the predicted set B, mean over rows. Two empty sets count 1. */
function meanOverlap(share: (both: number, sum: number) => number) {
  return ratioOfSums((table) => {
    const { both, sum } = rowOverlaps(table);
    return { part: (row) => (sum[row] === 0 ? 1 : share(both[row], sum[row])) };
  });
}

/** Per row: labels that are 1 in both, and the labels that are 1 in truth plus those that are 1 in the prediction. */
interface Overlap {
  readonly both: Float64Array;
  readonly sum: Float64Array;
}

/**
 * Kept by the arrays of the table, which must not change afterwards: resampling needs the same rows a thousand times
 * under other weights, and masks have many pixels.
 */
export function rowOverlaps({ yTrue, yPred, length }: ScoreTable): Overlap {
  const known = overlaps.get(yPred);
  if (known?.yTrue === yTrue) return known;
  const width = yTrue.length / length;
  const found = { yTrue, both: new Float64Array(length), sum: new Float64Array(length) };
  for (let i = 0; i < yTrue.length; i++) {
    const row = Math.floor(i / width);
    found.both[row] += yTrue[i] * yPred[i];
    found.sum[row] += yTrue[i] + yPred[i];
  }
  overlaps.set(yPred, found);
  return found;
}

const overlaps = new WeakMap<ArrayLike<number>, Overlap & { readonly yTrue: ArrayLike<number> }>();
