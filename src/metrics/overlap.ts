/** How far the predicted labels (or pixels) of each row cover the true ones: what dice, iou and F1 of labels are made of. */
import { ratioOfSums } from './ratioOfSums.js';
import type { ScoreTable } from './scoreTable.js';

/** Per row: labels that are 1 in both, and the sum of those that are 1 in either. */
interface Overlap {
  readonly yTrue: ArrayLike<number>;
  readonly both: Float64Array;
  readonly sum: Float64Array;
}

/**
 * Resampling asks for the same rows a thousand times with other weights, and masks have many pixels. Tables are read
 * only: predictions that are changed in place keep the counts of before.
 */
const counted = new WeakMap<ArrayLike<number>, Overlap>();

/**
 * Mean over rows of `share(|A and B|, |A| + |B|)` for the true set A and the predicted set B. Two empty sets agree in
 * full: 1. Counts are kept by the arrays of the table, which must not be changed in place afterwards.
 */
export const meanOverlap = (share: (both: number, sum: number) => number) =>
  ratioOfSums((table) => {
    const { both, sum } = overlapOf(table);
    return { part: (row) => (sum[row] === 0 ? 1 : share(both[row], sum[row])) };
  });

/** The counts behind an overlap, row by row. */
export function overlapOf({ yTrue, yPred, length }: ScoreTable): Overlap {
  const known = counted.get(yPred);
  if (known?.yTrue === yTrue) return known;
  const width = yTrue.length / length;
  const found = { yTrue, both: new Float64Array(length), sum: new Float64Array(length) };
  for (let i = 0; i < yTrue.length; i++) {
    const row = Math.floor(i / width);
    found.both[row] += yTrue[i] * yPred[i];
    found.sum[row] += yTrue[i] + yPred[i];
  }
  counted.set(yPred, found);
  return found;
}
