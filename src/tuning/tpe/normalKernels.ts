/** Where the normal kernels of a range are, and how wide. */
import { lowerBound } from '../../core/lowerBound.js';
import type { FloatDistribution, IntDistribution } from '../distribution.js';

export type RangeDistribution = FloatDistribution | IntDistribution;

/** Normal kernels that are cut off at the ends of a range. All numbers are on the scale of the range. */
export interface NormalKernels {
  /** Ends of the range; with steps, half a step farther out. */
  readonly low: number;
  readonly high: number;
  /** One per observation, and that of the prior, the last. */
  readonly means: Float64Array;
  readonly widths: Float64Array;
  /** The kernels of observations from the smallest mean to the largest. */
  readonly order: Int32Array;
}

/** Narrowest kernel, as a part of the range; wider while there are few. */
const MOST_PARTS = 100;

/** A value on the scale of its range. */
export const onScale = ({ log }: RangeDistribution, value: number): number => (log ? Math.log(value) : value);

/**
 * A kernel on each observation, and one for the prior: in the middle, as wide as the range.
 *
 * Source: Bergstra et al. 2011 (NIPS 24), section 4, for widths from the neighbours and the prior; Bergstra, Yamins & Cox 2013
 * (ICML 28), for the narrowest width; Watanabe 2023, arXiv:2304.11127, section 3.3, for what came of them in Optuna.
 *
 * @param observed values within the range
 */
export function normalKernels(distribution: RangeDistribution, observed: Float64Array): NormalKernels {
  const n = observed.length;
  const half = (distribution.step ?? 0) / 2;
  const low = onScale(distribution, distribution.low - half);
  const high = onScale(distribution, distribution.high + half);
  const means = new Float64Array(n + 1);
  for (let k = 0; k < n; k++) means[k] = onScale(distribution, observed[k]);
  means[n] = (low + high) / 2;
  const order = orderOf(means.subarray(0, n));
  return { low, high, means, widths: widthsOf(means, order, low, high), order };
}

/** The places of numbers in ascending order, of equal ones the first first. Faster than to sort the places. */
function orderOf(numbers: Float64Array): Int32Array {
  const sorted = numbers.slice().sort();
  const taken = new Int32Array(numbers.length);
  const order = new Int32Array(numbers.length);
  for (let k = 0; k < numbers.length; k++) {
    const first = lowerBound(sorted, numbers[k]);
    order[first + taken[first]++] = k;
  }
  return order;
}

/**
 * How wide the kernel on each mean is: as far as to the farther one of its two neighbours; the ends of the range are
 * neighbours of a single mean alone. At most the range, at least its hundredth part, or its (n + 2)th for few.
 */
function widthsOf(means: Float64Array, order: Int32Array, low: number, high: number): Float64Array {
  const n = order.length;
  const range = high - low;
  const least = range / Math.min(MOST_PARTS, n + 2);
  const widths = new Float64Array(n + 1).fill(range);
  for (let at = 0; at < n; at++) {
    const mean = means[order[at]];
    const below = at > 0 ? mean - means[order[at - 1]] : n === 1 ? mean - low : 0;
    const above = at < n - 1 ? means[order[at + 1]] - mean : n === 1 ? high - mean : 0;
    widths[order[at]] = Math.min(range, Math.max(least, below, above));
  }
  return widths;
}
