/** Whether a row goes on as it must: by a period, or as sines, ramps and exponential curves do. Such rows fit others by chance. */
import type { NumericArray } from '../../../data/rows.js';
import { OrthonormalBasis } from '../../features/orthonormalBasis.js';

/** Values that tell; values before one from which it may follow; share of values that must follow. */
const [LONGEST, ORDER, SHARE] = [2048, 4, 0.9];
/** What is left below this part of the spread is rounding. */
const ROUNDING = 1e-6;

/** Whether values follow from the last four, but for rounding, along the first or the last dimension. */
export function isPredictable(a: NumericArray, shape: readonly number[]): boolean {
  const strides = new Set([a.length / shape[0], 1]);
  const first = a.subarray(0, LONGEST) as NumericArray;
  return [...strides].some((stride) => follows(first, stride, leastStep(first)));
}

/** The least difference of two values: what they are rounded to, if they are. */
function leastStep(a: NumericArray): number {
  const values = Float64Array.from(a).sort();
  let step = Infinity;
  for (let at = 1; at < values.length; at++)
    if (values[at] > values[at - 1]) step = Math.min(step, values[at] - values[at - 1]);
  return step < Infinity ? step : 0;
}

/** Linear recurrence by least squares: exact for sums of two sines, or of ramps and exponential curves. */
function follows(a: NumericArray, stride: number, step: number): boolean {
  const n = a.length - ORDER * stride;
  if (n < 4 * ORDER) return false;
  const lag = (k: number) => Float64Array.from({ length: n }, (_, at) => a[at + (ORDER - k) * stride]);
  const constant = new Float64Array(n).fill(1);
  const rest = new OrthonormalBasis([constant, ...[1, 2, 3, 4].map(lag)]).rest(lag(0));
  let [low, high] = [Infinity, -Infinity];
  for (const value of a) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const most = Math.max(step, ROUNDING * (high - low));
  return rest.filter((each) => Math.abs(each) <= most).length >= SHARE * n;
}

/** What a period leaves over to be seen, how often that changes at least, and the share of it that repeats itself. */
const [LEFT, CHANGES, REPEATED] = [16, 8, 0.75];

/** Whether a row repeats itself along its first or its last dimension. */
export function isPeriodic(a: NumericArray, shape: readonly number[]): boolean {
  const [first, last] = [shape[0], shape[shape.length - 1]];
  const line = a.length / first;
  for (let period = 1; period <= first - LEFT; period++) if (repeats(a, period * line)) return true;
  for (let period = 1; shape.length > 1 && period <= last - LEFT; period++) if (repeats(a, period)) return true;
  return false;
}

/** Silence repeats nothing: places count where the row changes. */
function repeats(a: NumericArray, step: number): boolean {
  let [same, changed] = [0, 0];
  for (let at = step; at < a.length; at++) {
    if (a[at] === a[at - 1] && a[at - step] === a[at - step - 1]) continue;
    changed++;
    if (a[at] === a[at - step]) same++;
  }
  return changed >= CHANGES && same >= REPEATED * changed;
}
