import type { RandomSource } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import type { Groups } from '../../data/sideData.js';
import { GroupPlacement, largestFirst, shuffledLargestFirst } from './groupPlacement.js';

/**
 * The fold of each group, by group code. With a `source` groups of similar size are placed in random order and then
 * moved or swapped while that evens the folds; without one the folds are those of scikit-learn's
 * `GroupKFold(shuffle=False)`. Needs at least as many groups as folds.
 */
export function assignGroups(
  { codes, count }: Pick<Groups, 'codes' | 'count'>,
  nSplits: number,
  source: RandomSource | undefined,
): Int32Array {
  const sizes = Float64Array.from(tally(codes, count));
  const placement = new GroupPlacement(sizes, 1, nSplits);
  if (!source) return placement.placeAll(largestFirst(sizes)).foldOf;
  const order = shuffledLargestFirst(sizes, source);
  return placement.placeAll(order).improve(order).foldOf;
}
