/** Which distances are too small to be chance: judged against the neighbours that each row has anyway. */

import { median } from '../../core/median.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { mean, sum } from '../../core/numbers.js';
import { type RandomSource, sample } from '../../core/random.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { normalTail } from '../../intervals/normalTail.js';
import { type Clusters, replicateClusters } from './clusters.js';
import { byRow, NEIGHBOURS, type Neighbourhood, neighbourhoods } from './neighbours.js';
import type { NearVectors } from './vectors.js';

/** How far apart rows are in these data, and what that makes of a distance. */
export interface Calibration {
  /** No pair further apart than this is accused; 0 where copies of a typical row are not told from rounding. */
  readonly limit: number;
  readonly clusters?: Clusters | undefined;
  /** log of the number of pairs in all the folds that are expected to be this near by chance; see {@link calibrate}. */
  logExpected(first: number, second: number, distance: number): number;
  /** What would be found. */
  reach(): Promise<Reach>;
}

export interface Reach {
  /** Noise, in standard deviations per feature, with which 95 % of single copies are found, of rows of which any is; else 0. */
  readonly detectable: number;
  /**
   * Share of these rows; of the others, which lack values or agree with many, no copy is told. Below one half of those that
   * have a value of a continuous feature `detectable` is 0.
   */
  readonly judged: number;
}

export interface CalibrationOptions {
  /** Code of the patient of each row; left out, rows are on their own. */
  readonly codes?: Int32Array | undefined;
  readonly pairsPerRow: number;
  /** Pairs must be at least this similar, whatever is expected by chance; left out, {@link usualSimilarity}. */
  readonly similarity?: number | undefined;
  readonly random: RandomSource;
}

/** Copies with less noise than this, in standard deviations per feature, are not told from rounding. */
const ROUNDING = 1e-6;
/** Family-wise error of a call. */
export const ALPHA = 0.01;
/** Fewer other patients give no scale. */
export const FEWEST = 20;
/** Rows that stand for all as neighbours, and rows whose neighbours are looked up to learn what is usual. */
export const REFERENCE = 1000;
const QUERIES = 200;
/** No pair is accused that is too far apart for rows with scales up to this quantile. */
const USUAL = 0.9;

/**
 * Learns the scale of the data. With K rows within the scale s of a row, about K P(d) / P(s) are expected within d: P is
 * the law of distances in the dimensions that neighbours fill. A pair is judged by the worse of its two rows, in the
 * dimensions that the rows around these fill.
 */
export async function calibrate(vectors: NearVectors, options: CalibrationOptions): Promise<Calibration> {
  const { n, continuous, ownValueShare, meanSquaredDistance, resolution } = vectors;
  const { codes, pairsPerRow, random } = options;
  const lookAround = async (reference: Int32Array) => {
    const around = neighbourhoods(reference, vectors, codes);
    const surroundings: Neighbourhood[] = [];
    for (const row of reference.subarray(0, QUERIES)) {
      await yieldToPage();
      if (ownValueShare[row] > 0) surroundings.push(around(row));
    }
    return { reference, around, surroundings };
  };
  const drawn = await lookAround(sample(random, n, Math.min(n, REFERENCE)));
  const clusters = await replicateClusters(vectors, drawn.reference, drawn.surroundings, codes);
  // A few versions of each row hide how far apart rows are; in larger clusters the neighbours of a row tell.
  const chosen = clusters && clusters.size <= NEIGHBOURS ? await lookAround(clusters.kept) : drawn;
  const { reference, around } = chosen;
  const surroundings = chosen.surroundings.filter(({ distances }) => distances.length > 1);
  if (surroundings.length === 0)
    return { limit: 0, reach: async () => ({ detectable: 0, judged: 0 }), clusters, logExpected: () => Infinity };
  const { variance, dimensions } = widthOf(vectors, reference);
  const { similarity = usualSimilarity(n, dimensions) } = options;
  const cap = Math.sqrt(Math.max(0, 1 - similarity) * meanSquaredDistance);
  const pairs = (pairsPerRow * n) / reference.length;
  const scales = surroundings.map(({ distances }) => distances.at(-1)!).sort((a, b) => a - b);
  const rows = surroundings.map((each) => each.rows).sort((a, b) => a - b);
  const usualRows = rows[rows.length >> 1];
  const law = lawOfIntrinsicDimension(surroundings, usualRows / reference.length, continuous);
  const localDimensions = localShareOfDimensions(law, around);
  const expectedAround = (row: number, distance: number, filled: number) => {
    const { distances, rows: within } = around(row);
    return Math.log(pairs * within) + filled * law.logAt(Math.max(distance, resolution) / distances.at(-1)!);
  };
  const logExpected = (first: number, second: number, distance: number) => {
    const own = Math.min(ownValueShare[first], ownValueShare[second]);
    if (own === 0) return Infinity;
    // By the worse of the two rows.
    const by = (filled: number) =>
      Math.max(expectedAround(first, distance, filled), expectedAround(second, distance, filled));
    const expected = by(own);
    // What the rows around fill is asked of few pairs: the search for neighbours takes long.
    return expected >= Math.log(ALPHA) ? expected : by(Math.min(own, localDimensions(first, second)));
  };
  const limitAt = (share: number, neighbours: number) => {
    const scale = scales[Math.floor(share * scales.length)];
    return Math.min(cap, scale * law.distanceAt(Math.log(ALPHA / pairs) - Math.log(neighbours)));
  };
  const isDetectable = limitAt(0.5, usualRows) >= Math.max(resolution, ROUNDING * Math.sqrt(variance));
  return {
    limit: isDetectable ? limitAt(USUAL, Math.max(1, Math.min(NEIGHBOURS, reference.length - 1) - 1)) : 0,
    clusters,
    logExpected,
    async reach() {
      const limits: number[] = [];
      for (const { row } of surroundings.slice(0, MEASURED)) {
        await yieldToPage();
        limits.push(lastWhere(NOTHING / 2, 1e3, (gap) => logExpected(row, row, gap) < Math.log(ALPHA)));
      }
      const { detectable, judged } = reachOf(limits, cap, variance / continuous, continuous, random);
      return { detectable, judged: (judged * ownValueShare.filter((share) => share > 0).length) / n };
    },
  };
}

/** The largest value, between two, at which something holds that ends to hold: within a part of it. */
function lastWhere(low: number, high: number, holds: (value: number) => boolean, part = 1e-9): number {
  let [from, to] = [Math.log(low), Math.log(high)];
  while (to - from > part) {
    const middle = (from + to) / 2;
    if (holds(Math.exp(middle))) from = middle;
    else to = middle;
  }
  return Math.exp(from);
}

/** Below this a limit is none. */
const NOTHING = 1e-8;
/** Rows whose copies tell what would be found, copies that are drawn for each, and the share that has to be. */
const [MEASURED, COPIES, FOUND] = [40, 5, 0.95];
/** A pair is judged by what is around the copy, too, and by laws that the copy changes a little: so much less is promised. */
const PROMISED = 0.7;

function reachOf(
  limits: readonly number[],
  cap: number,
  variance: number,
  features: number,
  random: RandomSource,
): Reach {
  const telling = limits.filter((limit) => limit > NOTHING);
  const judged = telling.length / limits.length;
  if (judged < 0.5) return { detectable: 0, judged };
  const most = telling.flatMap((limit) =>
    Array.from({ length: COPIES }, () => {
      let square = 0;
      for (let k = 0; k < features; k++) square += normalQuantile(random.random()) ** 2;
      return Math.min(limit, cap) / Math.sqrt(square * variance);
    }),
  );
  most.sort((a, b) => a - b);
  return { detectable: PROMISED * most[Math.floor((1 - FOUND) * most.length)], judged };
}

/** Variance of the continuous features together, and the dimensions that are about as wide as the first, from pairs of rows. */
function widthOf({ data, width, continuous }: NearVectors, rows: Int32Array) {
  const squares = Array.from(rows, (row, at) => {
    const other = rows[(at + 1) % rows.length] * width;
    let square = 0;
    for (let k = 0; k < continuous; k++) square += (data[row * width + k] - data[other + k]) ** 2;
    return square;
  });
  const typical = mean(squares);
  return { variance: typical / 2, dimensions: (2 * typical ** 2) / mean(squares.map((each) => (each - typical) ** 2)) };
}

/**
 * What counts as a close copy where nobody says: noise of .4 standard deviations per feature in 100 rows, .17 in 20,000,
 * and less where many dimensions are as wide as the first, since there it makes the search long.
 */
function usualSimilarity(n: number, dimensions: number): number {
  return 1 - 0.09 * Math.cbrt(100 / n) * Math.sqrt(Math.min(1, 16 / dimensions));
}

/**
 * The share of the dimensions that the rows around two rows fill: 1, or less where the steps between the ascending distances of
 * their neighbours, and of those of their neighbours, are wider than the law has them, at which they are exponential. Their median
 * counts, since copies make a few wide ones. One dimension is filled by all.
 *
 * Source: Renyi 1953, Acta Math. Hung. 4:191 (steps between ordered values, each times its rank, are independent); Hill 1975, Annals
 * of Statistics 3:1163 (their mean is the reciprocal of the dimensions).
 */
function localShareOfDimensions(law: DistanceLaw, around: (row: number) => Neighbourhood) {
  const dimensions = Math.max(1, (law.logAt(1e-6) - law.logAt(1e-7)) / Math.LN10);
  const stepsAround = (row: number) => {
    const { distances } = around(row);
    const logs = distances.map((distance) => -law.logAt(distance / distances[distances.length - 1]));
    const gaps = logs.slice(0, -1).map((log, at) => log - logs[at + 1]);
    const steps = gaps.map((gap, at) => (at + 1) * gap);
    const edge = steps.indexOf(Math.max(...steps));
    // Behind copies of the row, places are counted as if there were none.
    const isEdge = steps[edge] * (steps.length - 1) > EDGE * (sum(steps) - steps[edge]);
    return isEdge && edge + 1 < gaps.length ? gaps.slice(edge + 1).map((gap, at) => (at + 1) * gap) : steps;
  };
  const stepAround = byRow((row) => {
    const { nearest } = around(row);
    const rows = new Set(nearest.flatMap((each) => around(each).nearest)).size;
    const steps = [row, ...nearest].flatMap(stepsAround);
    return median(Float64Array.from(steps)) / Math.LN2 - SLACK / Math.sqrt(rows);
  });
  return (first: number, second: number) =>
    1 / Math.min(dimensions, Math.max(1, stepAround(first), stepAround(second)));
}

/** A step so many times as wide as the others, on average, is the edge of a burst of copies. */
const EDGE = 5;
/** What so many rows tell is off by chance: this, divided by the root of their number. */
const SLACK = 0.3;

// How near rows are by chance: the law of their distances in the dimensions that neighbours fill.

/** Distances are parts of the scale of a row. */
interface DistanceLaw {
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
export function lawOfIntrinsicDimension(
  surroundings: readonly Neighbourhood[],
  inside: number,
  most: number,
): DistanceLaw {
  const parts = surroundings.map(({ distances }) =>
    distances.slice(0, -1).map((distance) => distance / distances.at(-1)!),
  );
  const dimensions = isSmooth(parts, lawOf(most, inside))
    ? most
    : lastWhere(1, most, (each) => isSmooth(parts, lawOf(each, inside)), 0.01);
  return lawOf(Math.max(1, CAREFUL * dimensions), inside);
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

const distanceAt = (dimensions: number, log: number) =>
  lastWhere(1e-12, LARGEST, (distance) => logWithin(dimensions, distance) <= log);

/** log P(normal > z), also where the probability is too small for a number. */
function logNormalTail(z: number): number {
  if (z < 30) return Math.log(normalTail(z));
  const square = z * z;
  return -square / 2 - Math.log(z * Math.sqrt(2 * Math.PI)) + Math.log1p(-1 / square + 3 / (square * square));
}
