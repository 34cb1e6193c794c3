/** How many dimensions rows fill around each other, from the distances of their neighbours. */
import { mean } from '../../core/numbers.js';
import { type DistanceLaw, distanceLaw } from './distanceLaw.js';
import type { Neighbourhood } from './neighbours.js';

/** Copies are among the nearest rows of a few: the rows with the nearest neighbours are left out. */
export const LOWER = 0.75;
/** What smooth data give for the lower rows, mean of -log of the shares of nine neighbours and of the nearest (scipy). */
export const SMOOTH = { mean: 0.8502275, first: 2.264056 };
/** A fitted dimension is wrong by about 5 % in 100 rows; one too many makes pairs look a thousand times as rare. */
const CAREFUL = 0.93;

/**
 * log of the share of the rows within the scale of a row that are within a part of it, as in a normal distribution with
 * as many dimensions as the neighbours show. `inside` is the share of all rows that are within the scale. Curved or
 * derived features fill fewer dimensions than their covariance has; continuous ones fill one or more.
 *
 * Source: Levina & Bickel 2004, NIPS 17 (dimension from the distances of neighbours), here under a normal density.
 */
export function lawOfIntrinsicDimension(seen: readonly Neighbourhood[], inside: number, most: number): DistanceLaw {
  const parts = seen.map(({ distances }) => distances.slice(0, -1).map((distance) => distance / distances.at(-1)!));
  let [low, high] = [1, most];
  if (isSmooth(parts, within(high, inside))) low = high;
  while (high - low > 0.01 * low) {
    const middle = Math.sqrt(low * high);
    if (isSmooth(parts, within(middle, inside))) low = middle;
    else high = middle;
  }
  return within(Math.max(1, CAREFUL * low), inside);
}

/** The law of distances in so many dimensions, from a place where it is `inside`; distances are parts of that one. */
function within(dimensions: number, inside: number): DistanceLaw {
  const law = distanceLaw([1], dimensions);
  const scale = law.distanceAt(Math.log(inside));
  return {
    logAt: (part) => law.logAt(scale * part) - Math.log(inside),
    distanceAt: (log) => law.distanceAt(log + Math.log(inside)) / scale,
  };
}

/** Whether neighbours are spread over their scales at least as evenly as the law says. */
function isSmooth(parts: readonly (readonly number[])[], law: DistanceLaw): boolean {
  const logs = parts.map((each) => each.map((part) => -law.logAt(part)));
  const lower = (values: number[]) => mean(values.sort((a, b) => a - b).slice(0, Math.ceil(LOWER * values.length)));
  return lower(logs.map(mean)) <= SMOOTH.mean && lower(logs.map(([first]) => first)) <= SMOOTH.first;
}
