/** What fills a missing cell: mean, median and mode of known values. */
import { sortedQuantile } from '../../core/quantiles.js';

/** From the first value on, so that the mean of equal values is exactly theirs. */
export const meanFromFirst = (values: Float64Array) =>
  values.reduce((sum, value) => sum + (value - values[0]) / values.length, values[0] ?? 0);

export const medianOf = (values: Float64Array) => sortedQuantile(values.slice().sort(), 0.5);

/** The least of the commonest values. */
export function mode(known: Float64Array): number {
  const sorted = known.slice().sort();
  let [best, most] = [Number.NaN, 0];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    if (to - from > most) [best, most] = [sorted[from], to - from];
  }
  return best;
}
