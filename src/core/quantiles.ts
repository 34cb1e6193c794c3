import { lowerBound } from './lowerBound.js';

/** At a share from 0 to 1, as `numpy.quantile`. */
export function sortedQuantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)];
  const above = sorted[Math.ceil(at)];
  const part = at - Math.floor(at);
  return part < 0.5 ? below + (above - below) * part : above - (above - below) * (1 - part);
}

/**
 * Quantiles, by their share, of values that each stand for a number of rows (>= 1, may be fractional): those of R's default, type 7.
 *
 * Source: Hyndman & Fan 1996, The American Statistician 50:361.
 */
export function weightedQuantile(values: Float64Array, copies: Float64Array): (share: number) => number {
  const order = Int32Array.from(values, (_, row) => row).sort((a, b) => values[a] - values[b]);
  let total = 0;
  const reached = Float64Array.from(order, (row) => {
    total += copies[row];
    return total;
  });
  /** The value of the row in that place, from 0; rounding in the sums does not move it. */
  const at = (place: number) => values[order[Math.min(order.length - 1, lowerBound(reached, place + 1 - 1e-9))]];
  return (share) => {
    const place = (total - 1) * share;
    const floor = Math.floor(place + 1e-9);
    const low = at(floor);
    return low + Math.max(0, place - floor) * (at(floor + 1) - low);
  };
}
