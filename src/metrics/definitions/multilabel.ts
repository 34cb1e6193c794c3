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
 * scikit-learn's `f1_score(average='samples', zero_division=1)`; its default counts rows that are empty in truth and
 * prediction 0, and nnU-Net leaves them out.
 * Source: Dice 1945, Ecology 26:297; Sørensen 1948.
 */
export const dice: Metric = {
  ...LABELS,
  name: 'dice',
  description:
    'Mean over rows, and over the classes of masks, of 2 |A and B| / (|A| + |B|); 1 where both are empty (Dice 1945).',
  direction: 'maximize',
  ...meanOverlap((both, sum) => (2 * both) / sum),
};

export const f1Samples: Metric = {
  ...dice,
  name: 'f1_samples',
  description: 'Mean over rows of the F1 of their labels, 1 for a row without any; the same number as dice.',
};

/** scikit-learn's `jaccard_score(average='samples', zero_division=1)`. Source: Jaccard 1912, New Phytologist 11:37. */
export const iou: Metric = {
  ...LABELS,
  name: 'iou',
  aliases: ['jaccard'],
  description:
    'Mean over rows, and over the classes of masks, of |A and B| / |A or B|; 1 where both are empty (Jaccard 1912).',
  direction: 'maximize',
  ...meanOverlap((both, sum) => both / (sum - both)),
};

/** `share(|A and B|, |A| + |B|)` of the true set A and the predicted set B, mean over rows, of masks over their classes, too. Two empty sets count 1. */
function meanOverlap(share: (both: number, sum: number) => number) {
  return ratioOfSums((table) => ({
    part: (row) => {
      const channels = table.masks?.channels ?? 1;
      let total = 0;
      for (let channel = 0; channel < channels; channel++) {
        const { both, sum } = rowOverlap(table, row, channel, channels);
        total += sum === 0 ? 1 : share(both, sum);
      }
      return total / channels;
    },
  }));
}

/** Labels of a row, or of one class of its mask, that are 1 in both, and those that are 1 in truth plus those in the prediction. */
export function rowOverlap({ yTrue, yPred, length }: ScoreTable, row: number, channel = 0, channels = 1) {
  const width = yTrue.length / length;
  let [both, sum] = [0, 0];
  for (let at = row * width + channel; at < (row + 1) * width; at += channels) {
    both += yTrue[at] * yPred[at];
    sum += yTrue[at] + yPred[at];
  }
  return { both, sum };
}

export function isEmptyRow({ yTrue, yPred, length }: ScoreTable, row: number): boolean {
  const width = yTrue.length / length;
  for (let at = row * width; at < (row + 1) * width; at++) if (yTrue[at] || yPred[at]) return false;
  return true;
}
