/** How unlike two places are by their distance, and the range beyond which distance tells nothing. */
import { power } from '../../core/numbers.js';
import type { Points } from '../../splitters/spatial/points.js';

export interface VariogramBin {
  readonly pairs: number;
  readonly distance: number;
  readonly gamma: number;
}

/** A spherical model: gamma(h) = nugget + sill (1.5 h / range - .5 (h / range)^3) up to the range, nugget + sill beyond. */
export interface SphericalModel {
  readonly nugget: number;
  readonly sill: number;
  readonly range: number;
  readonly error: number;
}

const BINS = 15;

/** Distances up to a third of the diagonal of the area, as is usual: longer ones are those of few places at its edge. */
export function cutoffOf(points: Points): number {
  return Math.sqrt(endsOf(points).reduce((sum, [low, high]) => sum + (high - low) ** 2, 0)) / 3;
}

/** The smallest and the largest place along each axis. */
export function endsOf({ values, width }: Points): [low: number, high: number][] {
  return Array.from({ length: width }, (_, axis) => {
    let [low, high] = [Infinity, -Infinity];
    for (let at = axis; at < values.length; at += width) {
      low = Math.min(low, values[at]);
      high = Math.max(high, values[at]);
    }
    return [low, high];
  });
}

/**
 * In 15 bins of equal width up to `cutoff`, empty ones left out, over all pairs but those at one place, whose distance of
 * 0 has no weight in a fit. Matheron 1963, Economic Geology 58:1246.
 */
export function variogramOf({ values, width }: Points, variable: Float64Array, cutoff: number): VariogramBin[] {
  const n = variable.length;
  const [pairs, distances, squares] = Array.from({ length: 3 }, () => new Float64Array(BINS));
  const limit = cutoff * cutoff;
  for (let i = 1; i < n; i++) {
    for (let j = 0; j < i; j++) {
      let square = 0;
      for (let axis = 0; axis < width; axis++) square += (values[i * width + axis] - values[j * width + axis]) ** 2;
      if (square > limit || square === 0) continue;
      const distance = Math.sqrt(square);
      // Bins hold their upper end.
      const bin = Math.min(BINS - 1, Math.max(0, Math.ceil((distance / cutoff) * BINS) - 1));
      pairs[bin]++;
      distances[bin] += distance;
      squares[bin] += (variable[i] - variable[j]) ** 2;
    }
  }
  return Array.from(pairs, (count, bin) => ({
    pairs: count,
    distance: distances[bin] / count,
    gamma: squares[bin] / (2 * count),
  })).filter((bin) => bin.pairs > 0);
}

const shape = (ratio: number) => (ratio >= 1 ? 1 : 1.5 * ratio - 0.5 * power(ratio, 3));

/**
 * Weights pairs / distance^2; nugget and sill are not below 0, the range is at most `longest`. For a given range the
 * other two are a linear fit, so that the best of a fine grid of ranges, refined, is the overall best.
 *
 * Source: Cressie 1985, Mathematical Geology 17:563 (as in gstat: Pebesma 2004, Computers & Geosciences 30:683).
 */
export function fitSpherical(bins: readonly VariogramBin[], longest: number): SphericalModel {
  const shortest = bins[0].distance / 2;
  const steps = 200;
  const ranges = Array.from({ length: steps + 1 }, (_, at) => shortest * power(longest / shortest, at / steps));
  const errors = ranges.map((range) => linearFit(bins, range).error);
  const best = errors.indexOf(Math.min(...errors));
  let [low, high] = [ranges[Math.max(0, best - 1)], ranges[Math.min(steps, best + 1)]];
  // Golden section: 60 steps take the bracket below the precision of a double.
  const golden = (Math.sqrt(5) - 1) / 2;
  for (let step = 0; step < 60; step++) {
    const [left, right] = [high - golden * (high - low), low + golden * (high - low)];
    if (linearFit(bins, left).error <= linearFit(bins, right).error) high = right;
    else low = left;
  }
  return linearFit(bins, (low + high) / 2);
}

function linearFit(bins: readonly VariogramBin[], range: number): SphericalModel {
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0];
  for (const { pairs, distance, gamma } of bins) {
    const weight = pairs / distance ** 2;
    const x = shape(distance / range);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * gamma;
    wxy += weight * x * gamma;
  }
  const determinant = w * wxx - wx * wx;
  let sill = determinant > 1e-12 * w * wxx ? (w * wxy - wx * wy) / determinant : 0;
  let nugget = (wy - sill * wx) / w;
  if (sill < 0) [nugget, sill] = [wy / w, 0];
  else if (nugget < 0) [nugget, sill] = [0, wxy / wxx];
  let error = 0;
  for (const { pairs, distance, gamma } of bins) {
    error += (pairs / distance ** 2) * (gamma - nugget - sill * shape(distance / range)) ** 2;
  }
  return { nugget, sill, range, error };
}
