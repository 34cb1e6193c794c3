import { sortedQuantile } from '../../core/quantiles.js';

/** From the first value on, so that the mean of equal values is exactly theirs. */
export const meanFromFirst = (values: Float64Array) =>
  values.reduce((sum, value) => sum + (value - values[0]) / values.length, values[0] ?? 0);

export const medianOf = (values: Float64Array) => sortedQuantile(values.slice().sort(), 0.5);

/** Number, mean and sum of squared distances from it, without missing values. */
export function moments(values: Float64Array) {
  let [n, sum, squares] = [0, 0, 0];
  for (let row = 0; row < values.length; row++) {
    if (Number.isNaN(values[row])) continue;
    n++;
    sum += values[row];
  }
  const mean = sum / n;
  for (let row = 0; row < values.length; row++) {
    const from = values[row] - mean;
    if (!Number.isNaN(from)) squares += from * from;
  }
  return { n, mean, squares };
}

/** How far a statistic may be from 0 or 1; single precision is less exact. */
export const SAME = { double: 1e-9, single: 1e-5 };

export const isSinglePrecision = (values: Float64Array) => values.every((value) => !(Math.fround(value) !== value));
