/** Which distances are too small to be chance: judged against the neighbours that each row has anyway. */

import { normalQuantile } from '../../core/normalQuantile.js';
import { mean, sum } from '../../core/numbers.js';
import { type RandomSource, sample } from '../../core/random.js';
import { normalTail } from '../../intervals/normalTail.js';
import { type Clusters, replicateClusters } from './clusters.js';
import { NEIGHBOURS, type Neighbourhood, neighbourhoods } from './neighbours.js';
import type { NearVectors } from './vectors.js';

/** How far apart rows are in these data, and what that makes of a distance. */
export interface Calibration {
  /** No pair further apart than this is accused. */
  readonly limit: number;
  /** Whether the copy of a typical row with such noise, in standard deviations per feature, would have been found. */
  isDetectable(noise: number): boolean;
  /** Noise, in standard deviations per feature, with which 95 % of single copies are found. */
  detectable(): number;
  /** In which rows come, if they do. */
  readonly clusters?: Clusters | undefined;
  /** log of the number of pairs in all the folds that are expected to be this near by chance; see {@link calibrate}. */
  logExpected(first: number, second: number, distance: number): number;
}

export interface CalibrationOptions {
  /** Code of the patient of each row; left out, rows are on their own. */
  readonly codes?: Int32Array | undefined;
  /** Number of pairs across folds per row. */
  readonly pairsPerRow: number;
  /** Pairs must be at least this similar, whatever is expected by chance; left out, {@link usualSimilarity}. */
  readonly similarity?: number | undefined;
  readonly random: RandomSource;
}

/** Family-wise error of a call. */
export const ALPHA = 0.01;
/** Fewer other patients give no scale. */
export const FEWEST = 20;
/** Rows that stand for all as neighbours, and rows whose neighbours are looked up to learn what is usual. */
export const REFERENCE = 1000;
const QUERIES = 200;
/** Rows whose copies tell what would be found. */
const MEASURED = 40;
/** No pair is accused that is too far apart for rows with scales up to this quantile. */
const USUAL = 0.9;

/**
 * Learns the scale of the data. With K rows within the scale s of a row, about K P(d) / P(s) are expected within d: P is
 * the law of distances in the dimensions that neighbours fill. A pair is judged by the worse of its two rows, in the
 * dimensions that the rows around these fill.
 */
export function calibrate(vectors: NearVectors, options: CalibrationOptions): Calibration {
  const { n, continuous, ownValueShare, meanSquaredDistance } = vectors;
  const { codes, pairsPerRow, random } = options;
  const drawn = sample(random, n, Math.min(n, REFERENCE));
  const probes = sample(random, n, Math.min(n, QUERIES)).filter((row) => ownValueShare[row] > 0);
  const amongDrawn = neighbourhoods(drawn, vectors, codes);
  const first = Array.from(probes, amongDrawn);
  const clusters = replicateClusters(vectors, drawn, first, codes);
  // A few versions of each row hide how far apart rows are; in larger clusters the neighbours of a row tell.
  const reference = clusters && clusters.size <= NEIGHBOURS ? clusters.kept : drawn;
  const queries = reference.subarray(0, QUERIES).filter((row) => ownValueShare[row] > 0);
  const around = reference === drawn ? amongDrawn : neighbourhoods(reference, vectors, codes);
  const surroundings = (reference === drawn ? first : Array.from(queries, around)).filter(
    ({ distances }) => distances.length > 1,
  );
  const { variance, dimensions } = widthOf(vectors, reference);
  const { similarity = usualSimilarity(n, dimensions) } = options;
  const share = n / reference.length;
  if (surroundings.length === 0)
    return { limit: 0, isDetectable: () => false, detectable: () => 0, clusters, logExpected: () => Infinity };
  const typical = [...surroundings].sort((a, b) => a.rows - b.rows)[surroundings.length >> 1];
  const learnt: Learnt = {
    vectors,
    reference,
    queries,
    surroundings,
    around,
    typical,
    clusters,
    pairs: pairsPerRow * share,
    cap: Math.sqrt(Math.max(0, 1 - similarity) * meanSquaredDistance),
    variance,
    law: lawOfIntrinsicDimension(surroundings, typical.rows / reference.length, continuous),
  };
  return new LearntScale(learnt, random);
}

interface Learnt {
  readonly vectors: NearVectors;
  readonly reference: Int32Array;
  /** Rows that stand for all, what surrounds those of them that have neighbours, and which of these is the usual one. */
  readonly queries: Int32Array;
  readonly surroundings: readonly Neighbourhood[];
  readonly typical: Neighbourhood;
  readonly around: (row: number) => Neighbourhood;
  readonly clusters: Clusters | undefined;
  /** Pairs across folds per row among the reference rows. */
  readonly pairs: number;
  /** No pair further apart is similar enough. */
  readonly cap: number;
  readonly variance: number;
  readonly law: DistanceLaw;
}

class LearntScale implements Calibration {
  readonly limit: number;
  readonly clusters: Clusters | undefined;
  readonly #learnt: Learnt;
  readonly #random: RandomSource;
  readonly #usual: { readonly scale: number; readonly median: number };
  readonly #known: Map<number, Neighbourhood>;
  readonly #dimensions: LocalDimensions;

  constructor(learnt: Learnt, random: RandomSource) {
    const { surroundings, reference, clusters } = learnt;
    this.#learnt = learnt;
    this.#random = random;
    const scales = surroundings.map(({ distances }) => distances.at(-1)!).sort((a, b) => a - b);
    this.#usual = { scale: scales[Math.floor(USUAL * (scales.length - 1))], median: scales[scales.length >> 1] };
    this.#known = new Map(surroundings.map((each) => [each.row, each]));
    this.#dimensions = new LocalDimensions(
      (distance, scale) => this.#nearer(distance, scale),
      (row) => this.#around(row),
    );
    this.clusters = clusters;
    const neighbours = Math.max(1, Math.min(NEIGHBOURS, reference.length - 1) - 1);
    this.limit = this.#distanceFor(this.#usual.scale, neighbours);
  }

  isDetectable(noise: number): boolean {
    const { typical, variance, vectors } = this.#learnt;
    const least = Math.max(noise * Math.sqrt(variance), vectors.resolution);
    return this.#distanceFor(this.#usual.median, typical.rows) >= least;
  }

  detectable(): number {
    const { queries, cap, variance, vectors } = this.#learnt;
    const limits = Array.from(queries.subarray(0, MEASURED), (row) =>
      limitOf((distance) => this.logExpected(row, row, Math.max(distance, vectors.resolution))),
    );
    return noiseFound(limits, cap, variance / vectors.continuous, vectors.continuous, this.#random);
  }

  logExpected(first: number, second: number, distance: number): number {
    const { ownValueShare } = this.#learnt.vectors;
    const own = Math.min(ownValueShare[first], ownValueShare[second]);
    if (own === 0) return Infinity;
    const expected = this.#expected(first, second, distance, own);
    if (expected >= Math.log(ALPHA)) return expected;
    // What the rows around fill is asked of few pairs: the search for neighbours takes long.
    return this.#expected(first, second, distance, Math.min(own, this.#dimensions.share(first, second)));
  }

  /** By the worse of two rows, around which rows fill a share of the dimensions. */
  #expected(first: number, second: number, distance: number, filled: number): number {
    return Math.max(this.#expectedAround(first, distance, filled), this.#expectedAround(second, distance, filled));
  }

  #expectedAround(row: number, distance: number, filled: number): number {
    const { distances, rows } = this.#around(row);
    return Math.log(this.#learnt.pairs * rows) + filled * this.#nearer(distance, distances.at(-1)!);
  }

  #nearer(distance: number, scale: number): number {
    return this.#learnt.law.logAt(distance / scale);
  }

  #distanceFor(scale: number, rows: number): number {
    const { law, cap, pairs } = this.#learnt;
    return Math.min(cap, scale * law.distanceAt(Math.log(ALPHA / pairs) - Math.log(rows)));
  }

  #around(row: number): Neighbourhood {
    const surrounding = this.#known.get(row) ?? this.#learnt.around(row);
    this.#known.set(row, surrounding);
    return surrounding;
  }
}

/** The largest distance, about, at which few enough pairs are expected; the expectation grows with it. */
function limitOf(expectedAt: (distance: number) => number): number {
  let [low, high] = [Math.log(1e-9), Math.log(1e3)];
  for (let step = 0; step < STEPS / 2; step++) {
    const middle = (low + high) / 2;
    if (expectedAt(Math.exp(middle)) < Math.log(ALPHA)) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}

/** Copies that are drawn for each row to see which are found, and the share that has to be. */
const [COPIES, FOUND] = [5, 0.95];
/** A pair is judged by what is around the copy, too, and by laws that the copy changes a little: so much less is promised. */
const PROMISED = 0.7;

function noiseFound(
  limits: readonly number[],
  cap: number,
  variance: number,
  features: number,
  random: RandomSource,
): number {
  const most = limits.flatMap((limit) =>
    Array.from({ length: COPIES }, () => {
      let square = 0;
      for (let k = 0; k < features; k++) square += normalQuantile(random.random()) ** 2;
      return Math.min(limit, cap) / Math.sqrt(square * variance);
    }),
  );
  most.sort((a, b) => a - b);
  return PROMISED * (most[Math.floor((1 - FOUND) * most.length)] ?? 0);
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

/** log of the share of the rows within `scale` that are within `distance`, by the law for all rows. */
type Nearer = (distance: number, scale: number) => number;

/** What so many rows tell is off by chance: this, divided by the root of their number. */
const SLACK = 0.3;
/** A step so many times as wide as the others, on average, may be the edge of a burst of copies. */
const EDGE = 5;

/** Mean sum of so many exponential steps without the widest. */
const USUAL_SUM = Float64Array.from({ length: NEIGHBOURS }, (_, count) => {
  let widest = 0;
  for (let at = 1; at <= count; at++) widest += 1 / at;
  return count - widest;
});

/** The steps between the neighbours of a row: exponential with mean 1 where these fill the dimensions that the law has. */
interface Steps {
  readonly sizes: readonly number[];
  readonly widest: number;
}

/**
 * The share of the dimensions that the rows around two rows fill: 1, or less where the steps between the ascending distances of
 * their neighbours, and of those of their neighbours, are wider than the law has them. The widest step of a row is left out, since
 * a copy makes one; a burst of copies, which all its rows see alike, is left out altogether. One dimension is filled by all.
 *
 * Source: Renyi 1953, Acta Math. Hung. 4:191 (steps between ordered values, each times its rank, are independent); Hill 1975, Annals
 * of Statistics 3:1163 (their mean is the reciprocal of the dimensions).
 */
class LocalDimensions {
  readonly #dimensions: number;
  readonly #steps = new Map<number, Steps>();
  readonly #means = new Map<number, number>();

  constructor(
    readonly nearer: Nearer,
    readonly around: (row: number) => Neighbourhood,
  ) {
    this.#dimensions = Math.max(1, (nearer(1e-6, 1) - nearer(1e-7, 1)) / Math.LN10);
  }

  share(first: number, second: number): number {
    return 1 / Math.min(this.#dimensions, Math.max(1, this.#meanAround(first), this.#meanAround(second)));
  }

  #stepsAround(row: number): Steps {
    const known = this.#steps.get(row);
    if (known) return known;
    const { distances } = this.around(row);
    const logs = distances.map((distance) => -this.nearer(distance, distances[distances.length - 1]));
    const sizes = logs.slice(0, -1).map((log, at) => (at + 1) * (log - logs[at + 1]));
    const steps = { sizes, widest: sizes.indexOf(Math.max(...sizes)) };
    this.#steps.set(row, steps);
    return steps;
  }

  #scaleAround(row: number): { readonly step: number; readonly rows: readonly number[] } {
    const { sizes, widest } = this.#stepsAround(row);
    const { nearest } = this.around(row);
    const [all, edge] = [sum(sizes), widest + 1];
    const isWide = edge < sizes.length && sizes[widest] * sizes.length > EDGE * (all - sizes[widest]);
    if (isWide && nearest.slice(0, edge).every((other) => this.#stepsAround(other).widest === widest)) {
      const behind = sizes.slice(edge).map((size, at) => (size * (at + 1)) / (at + 1 + edge));
      return { step: mean(behind), rows: nearest.slice(edge) };
    }
    return { step: sizes.length > 1 ? (all - sizes[widest]) / USUAL_SUM[sizes.length] : 1, rows: nearest };
  }

  #meanAround(row: number): number {
    let step = this.#means.get(row);
    if (step === undefined) {
      const all = [row, ...this.around(row).nearest].map((each) => this.#scaleAround(each));
      const rows = new Set(all.flatMap((each) => each.rows)).size;
      step = mean(all.map((each) => each.step)) - SLACK / Math.sqrt(rows);
      this.#means.set(row, step);
    }
    return step;
  }
}

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

const [STEPS, SMALLEST] = [60, Math.log(1e-12)];

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
