/** The empirical ROC curve, straight between its points. */
import { lowerBound } from '../../core/lowerBound.js';
import { concordance } from '../../metrics/rocPlacements.js';
import type { ScoredTable } from '../binaryRows.js';

/** Which rate is held fixed, or runs along the axis. */
export type Rate = 'specificity' | 'sensitivity';

/** Points of the curve: the rate along the axis, ascending, and the other rate there, descending. */
export interface RocCurve {
  readonly along: Float64Array;
  readonly other: Float64Array;
}

/** Rates closer than this are equal: sums of weights are rounded. */
const ROUNDING = 1e-12;

/**
 * O(n log n); tied scores make one slanting step.
 *
 * Source: Fawcett 2006, Pattern Recognition Letters 27:861.
 */
export function rocCurve(table: ScoredTable, axis: Rate): RocCurve {
  // Loops over typed arrays: a curve is made for every resample.
  const missed = new Float64Array(table.length + 1); // weight of the positive rows below the threshold
  const ruledOut = new Float64Array(table.length + 1); // of the negative ones
  let points = 1;
  const { positives, negatives } = concordance(
    { ...table, scores: table.yProba },
    (_from, _to, belowPositive, belowNegative, tiedPositive, tiedNegative) => {
      if (tiedPositive === 0 && tiedNegative === 0) return;
      missed[points] = belowPositive + tiedPositive;
      ruledOut[points++] = belowNegative + tiedNegative;
    },
  );
  const sensitivity = missed.subarray(0, points);
  const specificity = ruledOut.subarray(0, points);
  for (let at = 0; at < points; at++) {
    sensitivity[at] = 1 - sensitivity[at] / positives;
    specificity[at] /= negatives;
  }
  return axis === 'specificity'
    ? { along: specificity, other: sensitivity }
    : { along: sensitivity.reverse(), other: specificity.reverse() };
}

/** Straight between points; of several values there, the highest. */
export function rateAt({ along, other }: RocCurve, place: number): number {
  const next = lowerBound(along, place - ROUNDING);
  if (next === 0 || along[next] <= place + ROUNDING) return other[next];
  const share = (along[next] - place) / (along[next] - along[next - 1]);
  return other[next] + share * (other[next - 1] - other[next]);
}

export function areaBetween({ along, other }: RocCurve, from: number, to: number): number {
  let area = 0;
  for (let at = 1; at < along.length; at++) {
    const width = along[at] - along[at - 1];
    const [left, right] = [Math.max(from, along[at - 1]), Math.min(to, along[at])];
    if (right <= left) continue;
    const middle = (along[at] - (left + right) / 2) / width;
    area += (right - left) * (other[at] + middle * (other[at - 1] - other[at]));
  }
  return area;
}
