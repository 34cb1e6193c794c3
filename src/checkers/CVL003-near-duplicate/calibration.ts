/** Which distances are too small to be chance: judged against the neighbours that each row has anyway. */

import { normalQuantile } from '../../core/normalQuantile.js';
import { mean, sum } from '../../core/numbers.js';
import { type RandomSource, sample } from '../../core/random.js';
import { dot } from '../features/orthonormalBasis.js';
import type { Clusters } from './clusters.js';
import { type DistanceLaw, distanceLaw } from './distanceLaw.js';
import { LocalDimensions } from './localDimensions.js';
import { NEIGHBOURS, type Neighbourhood, neighbourhoods } from './neighbours.js';
import { replicateClusters } from './replicateClusters.js';
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
  readonly looks: number;
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
/** With more continuous features than this, fewer rows give the covariance, which takes the cube of their number. */
const WIDE = 250;
/** Rows with the largest scales, in sparse regions, count as if they were here. */
const USUAL = 0.9;

/**
 * Learns the scale of the data. With K rows within the scale s of a row, about K P(d) / P(s) are expected within d: P is
 * the law of distances under the data's covariance, or in the dimensions that neighbours fill, if it says more. A pair
 * is judged by the worse of its two rows, in the dimensions that the rows around these fill.
 */
export function calibrate(vectors: NearVectors, options: CalibrationOptions): Calibration {
  const { n, width, continuous, free, spread } = vectors;
  const { codes, looks, random } = options;
  const drawn = sample(random, n, Math.min(n, REFERENCE));
  const asked = sample(random, n, Math.min(n, QUERIES)).filter((row) => free[row] > 0);
  const amongDrawn = neighbourhoods(drawn, vectors, codes);
  const first = Array.from(asked, amongDrawn);
  const clusters = replicateClusters(vectors, drawn, first, codes);
  // A few versions of each row hide how far apart rows are; in larger clusters the neighbours of a row tell.
  const reference = clusters && clusters.size <= NEIGHBOURS ? clusters.kept : drawn;
  const queries = reference.subarray(0, QUERIES).filter((row) => free[row] > 0);
  const around = reference === drawn ? amongDrawn : neighbourhoods(reference, vectors, codes);
  const seen = (reference === drawn ? first : Array.from(queries, around)).filter(
    ({ distances }) => distances.length > 1,
  );
  const spectrum = spectrumOf(vectors, reference.subarray(0, continuous > WIDE ? 2 * WIDE : REFERENCE));
  const law = distanceLaw(spectrum);
  const { similarity = usualSimilarity(n, spectrum) } = options;
  const share = n / reference.length;
  if (seen.length === 0)
    return { limit: 0, isDetectable: () => false, detectable: () => 0, clusters, logExpected: () => Infinity };
  const typical = [...seen].sort((a, b) => a.rows - b.rows)[seen.length >> 1];
  const local = lawOfIntrinsicDimension(seen, typical.rows / reference.length, width);
  const learnt: Learnt = {
    vectors,
    reference,
    queries,
    seen,
    around,
    typical,
    clusters,
    pairs: looks * share,
    cap: Math.sqrt(Math.max(0, 1 - similarity) * spread),
    variance: sum(spectrum),
    law,
    local,
  };
  return new LearntScale(learnt, random);
}

/** What {@link calibrate} found. */
interface Learnt {
  readonly vectors: NearVectors;
  readonly reference: Int32Array;
  /** Rows that stand for all, what surrounds those of them that have neighbours, and which of these is the usual one. */
  readonly queries: Int32Array;
  readonly seen: readonly Neighbourhood[];
  readonly typical: Neighbourhood;
  readonly around: (row: number) => Neighbourhood;
  readonly clusters: Clusters | undefined;
  /** Pairs across folds per row among the reference rows. */
  readonly pairs: number;
  /** No pair further apart is similar enough. */
  readonly cap: number;
  /** Of all continuous features together. */
  readonly variance: number;
  /** The law of distances under the covariance, and that in the dimensions that neighbours fill. */
  readonly law: DistanceLaw;
  readonly local: DistanceLaw;
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
    const { seen, queries, reference, clusters } = learnt;
    this.#learnt = learnt;
    this.#random = random;
    const scales = seen.map(({ distances }) => distances.at(-1)!).sort((a, b) => a - b);
    this.#usual = { scale: scales[Math.floor(USUAL * (scales.length - 1))], median: scales[scales.length >> 1] };
    this.#known = new Map(seen.map((each) => [each.row, each]));
    this.#dimensions = new LocalDimensions(
      (distance, scale) => this.#nearer(distance, scale),
      (row) => this.#around(row),
      queries,
    );
    this.clusters = clusters;
    const neighbours = Math.max(1, Math.min(NEIGHBOURS, reference.length - 1) - 1);
    this.limit = this.#distanceFor(this.#usual.scale, neighbours);
  }

  isDetectable(noise: number): boolean {
    const { typical, variance } = this.#learnt;
    return this.#distanceFor(this.#usual.median, typical.rows) >= noise * Math.sqrt(variance);
  }

  detectable(): number {
    const { queries, cap, variance, vectors } = this.#learnt;
    const limits = Array.from(queries.subarray(0, MEASURED), (row) =>
      limitOf((distance) => this.logExpected(row, row, distance)),
    );
    return noiseFound(limits, cap, variance / vectors.continuous, vectors.continuous, this.#random);
  }

  logExpected(first: number, second: number, distance: number): number {
    const { free } = this.#learnt.vectors;
    const own = Math.min(free[first], free[second]);
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
    const scale = Math.min(distances.at(-1)!, this.#usual.scale);
    return Math.log(this.#learnt.pairs * rows) + filled * this.#nearer(distance, scale);
  }

  #nearer(distance: number, scale: number): number {
    const { law, local } = this.#learnt;
    return Math.max(law.logAt(distance) - law.logAt(scale), local.logAt(distance / scale));
  }

  #distanceFor(scale: number, rows: number): number {
    const { law, local, cap, pairs } = this.#learnt;
    const log = Math.log(ALPHA / pairs) - Math.log(rows);
    return Math.min(cap, law.distanceAt(law.logAt(scale) + log), scale * local.distanceAt(log));
  }

  #around(row: number): Neighbourhood {
    const surrounding = this.#known.get(row) ?? this.#learnt.around(row);
    this.#known.set(row, surrounding);
    return surrounding;
  }
}

/** Steps of a bisection, and the least distance, as a logarithm. */
const [STEPS, SMALLEST] = [30, Math.log(1e-9)];

/** The largest distance, about, at which few enough pairs are expected; the expectation grows with it. */
function limitOf(expectedAt: (distance: number) => number): number {
  let [low, high] = [SMALLEST, Math.log(1e3)];
  for (let step = 0; step < STEPS; step++) {
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

/** The noise with which that share of copies is not further from its row than its limit. */
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

/** Eigenvalues of the covariance of the continuous features. */
function spectrumOf({ data, width, continuous }: NearVectors, rows: Int32Array): Float64Array {
  const taken = new Float64Array(rows.length * continuous);
  rows.forEach((row, at) => {
    for (let k = 0; k < continuous; k++) taken[at * continuous + k] = data[row * width + k];
  });
  return covarianceSpectrum({ data: taken, rows: rows.length, width: continuous });
}

/**
 * What counts as a close copy where nobody says: noise of .4 standard deviations per feature in 100 rows, .17 in 20,000,
 * and less where many dimensions are as wide as the first, since there it makes the search long.
 */
function usualSimilarity(n: number, spectrum: Float64Array): number {
  const dimensions = sum(spectrum) ** 2 / sum(spectrum.map((value) => value * value));
  return 1 - 0.09 * Math.cbrt(100 / n) * Math.sqrt(Math.min(1, 16 / dimensions));
}

// How many dimensions rows fill around each other, from the distances of their neighbours.

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

// Eigenvalues of the covariance of rows: how many directions the data really have.

/** Rows of numbers, row-major. */
interface Matrix {
  readonly data: ArrayLike<number>;
  readonly rows: number;
  readonly width: number;
}

/**
 * The eigenvalues, above rounding error, of the covariance of the first `width` columns. With fewer rows than columns
 * they come from the products of the rows, which have the same ones.
 */
export function covarianceSpectrum({ data, rows, width: stride }: Matrix, width = stride): Float64Array {
  const centred = Array.from({ length: width }, (_, column) => {
    const values = new Float64Array(rows);
    let mean = 0;
    for (let row = 0; row < rows; row++) {
      values[row] = data[row * stride + column];
      mean += values[row] / rows;
    }
    for (let row = 0; row < rows; row++) values[row] -= mean;
    return values;
  });
  const vectors =
    width <= rows ? centred : Array.from({ length: rows }, (_, row) => Float64Array.from(centred, (c) => c[row]));
  const values = symmetricEigenvalues(
    vectors.map((a, i) => Float64Array.from(vectors, (b, j) => (j > i ? 0 : dot(a, b) / (rows - 1)))),
  );
  const least = 1e-10 * values.reduce((most, value) => Math.max(most, value), 0);
  return values.filter((value) => value > least);
}

/**
 * Eigenvalues of a symmetric matrix, of which the lower triangle is read and overwritten: Householder's reduction to
 * three diagonals, then QL steps with Wilkinson's shift.
 *
 * Source: Golub & Van Loan 2013, Matrix Computations, algorithms 8.3.1 and 8.3.3.
 */
export function symmetricEigenvalues(lower: Float64Array[]): Float64Array {
  const n = lower.length;
  const beside = new Float64Array(n); // beside[i] couples i and i - 1
  for (let last = n - 1; last > 0; last--) beside[last] = reduceRow(lower, last);
  return implicitQl(
    Float64Array.from(lower, (row, i) => row[i]),
    beside,
  );
}

/** Reflects the row `last` onto its entry beside the diagonal, from both sides, and gives that entry. */
function reduceRow(lower: Float64Array[], last: number): number {
  const v = lower[last].slice(0, last);
  const norm = Math.sqrt(dot(v, v));
  if (norm === 0) return 0;
  const beside = v[last - 1] > 0 ? -norm : norm;
  v[last - 1] -= beside;
  const half = dot(v, v) / 2;
  if (half === 0) return beside;
  const product = new Float64Array(last);
  for (let i = 0; i < last; i++) {
    const row = lower[i];
    let sum = row[i] * v[i];
    for (let j = 0; j < i; j++) {
      sum += row[j] * v[j];
      product[j] += row[j] * v[i];
    }
    product[i] += sum;
  }
  const along = dot(product, v) / (2 * half);
  for (let i = 0; i < last; i++) product[i] = (product[i] - along * v[i]) / half;
  for (let i = 0; i < last; i++) {
    const row = lower[i];
    for (let j = 0; j <= i; j++) row[j] -= v[i] * product[j] + product[i] * v[j];
  }
  return beside;
}

function implicitQl(diagonal: Float64Array, coupling: Float64Array): Float64Array {
  const n = diagonal.length;
  const beside = Float64Array.from({ length: n }, (_, i) => (i + 1 < n ? coupling[i + 1] : 0));
  for (let l = 0; l < n; l++) {
    for (let step = 0; step < 60; step++) {
      let m = l;
      while (m + 1 < n && Math.abs(beside[m]) > Number.EPSILON * (Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1]))) {
        m++;
      }
      if (m === l) break;
      const bend = (diagonal[l + 1] - diagonal[l]) / (2 * beside[l]);
      const shift = diagonal[l] - beside[l] / (bend + Math.sign(bend || 1) * Math.hypot(bend, 1));
      let [g, s, c, p] = [diagonal[m] - shift, 1, 1, 0];
      let i = m - 1;
      for (; i >= l; i--) {
        const [f, b] = [s * beside[i], c * beside[i]];
        const r = Math.hypot(f, g);
        beside[i + 1] = r;
        if (r === 0) break;
        [s, c] = [f / r, g / r];
        g = diagonal[i + 1] - p;
        const q = (diagonal[i] - g) * s + 2 * c * b;
        p = s * q;
        diagonal[i + 1] = g + p;
        g = c * q - b;
      }
      if (i >= l) {
        diagonal[i + 1] -= p;
      } else {
        diagonal[l] -= p;
        beside[l] = g;
      }
      beside[m] = 0;
    }
  }
  return diagonal.sort();
}
