/** How near rows are by chance: the law of their distances in the dimensions that neighbours fill. */

import { mean } from '../../core/numbers.js';
import { normalTail } from '../../intervals/normalTail.js';
import type { Neighbourhood } from './neighbours.js';

/** Distances are parts of the scale of a row. */
export interface DistanceLaw {
  /** log of the share of the rows within the scale that are within this part of it. */
  logAt(part: number): number;
  /** The part of the scale within which a share exp(`log`) of these rows is. */
  distanceAt(log: number): number;
}

/** Copies are among the nearest rows of a few: the rows with the nearest neighbours are left out. */
const LOWER = 0.75;
/** What smooth data give for the lower rows, mean of -log of the shares of nine neighbours and of the nearest (scipy). */
const SMOOTH = { mean: 0.8502275, first: 2.264056 };
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
  if (isSmooth(parts, lawOf(high, inside))) low = high;
  while (high - low > 0.01 * low) {
    const middle = Math.sqrt(low * high);
    if (isSmooth(parts, lawOf(middle, inside))) low = middle;
    else high = middle;
  }
  return lawOf(Math.max(1, CAREFUL * low), inside);
}

/** In a normal distribution of so many dimensions; `inside` is the share of the rows within the scale. */
function lawOf(dimensions: number, inside: number): DistanceLaw {
  const all = Math.log(inside);
  const scale = distanceAt(dimensions, all);
  return {
    logAt: (part) => logWithin(dimensions, scale * part) - all,
    distanceAt: (log) => distanceAt(dimensions, log + all) / scale,
  };
}

/** Whether neighbours are spread over their scales at least as evenly as the law says. */
function isSmooth(parts: readonly (readonly number[])[], law: DistanceLaw): boolean {
  const logs = parts.map((each) => each.map((part) => -law.logAt(part)));
  const lower = (values: number[]) => mean(values.sort((a, b) => a - b).slice(0, Math.ceil(LOWER * values.length)));
  return lower(logs.map(mean)) <= SMOOTH.mean && lower(logs.map(([first]) => first)) <= SMOOTH.first;
}

/** Beyond the root of the mean square the formula becomes 0 / 0: distances count as this part of it, at most. */
const LARGEST = Math.sqrt(0.98);

/**
 * log P(d <= distance) of two rows of a normal distribution, `distance` in roots of the mean of d^2, which has the law of
 * chi-squared: by a saddlepoint with the modified signed root. Relative error of the probability: 11 % for one
 * dimension, 3 % for four, less than 1 % from 16.
 *
 * Source: Kuonen 1999, Biometrika 86:929 (sums of chi-squares); Barndorff-Nielsen 1990, JRSS B 52:485 (r*).
 */
function logWithin(dimensions: number, distance: number): number {
  if (distance === 0) return -Infinity;
  const square = Math.min(distance, LARGEST) ** 2;
  const root = Math.sqrt(dimensions * (square - 1 - Math.log(square)));
  return logNormalTail(root + Math.log(((1 - square) * Math.sqrt(2 * dimensions)) / (2 * root)) / root);
}

/** Steps of a bisection, and the least distance. */
const [STEPS, SMALLEST] = [60, Math.log(1e-12)];

/** The distance that a share exp(`log`) of pairs does not exceed. */
function distanceAt(dimensions: number, log: number): number {
  let [low, high] = [SMALLEST, Math.log(LARGEST)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (logWithin(dimensions, Math.exp(middle)) > log) high = middle;
    else low = middle;
  }
  return Math.exp(low);
}

/** log P(normal > z), also where the probability is too small for a number. */
function logNormalTail(z: number): number {
  if (z < 30) return Math.log(normalTail(z));
  const square = z * z;
  return -square / 2 - Math.log(z * Math.sqrt(2 * Math.PI)) + Math.log1p(-1 / square + 3 / (square * square));
}
