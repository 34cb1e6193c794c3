/** Which distances are too small to be chance: judged against the neighbours that each row has anyway. */
import { type RandomSource, sample } from '../../core/random.js';
import { type DistanceLaw, distanceLaw } from './distanceLaw.js';
import { squaredDistance } from './pairsWithin.js';
import { covarianceSpectrum } from './spectrum.js';
import type { NearVectors } from './vectors.js';

/** How far apart rows are in these data, and what that makes of a distance. */
export interface Calibration {
  /** No pair further apart than this is accused. */
  readonly limit: number;
  /** Noise, in standard deviations per feature, up to which the copy of a typical row would have been found. */
  readonly detectable: number;
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
/** The local scale of a row is the distance of its tenth nearest patient: bursts of up to nine copies leave it alone. */
const NEIGHBOURS = 10;
/** Fewer other patients give no scale. */
export const FEWEST = 20;
/** Rows that stand for all as neighbours, and rows whose neighbours are looked up to learn what is usual. */
const [REFERENCE, QUERIES] = [1000, 200];
/** With more continuous features than this, fewer rows give the covariance, which takes the cube of their number. */
const WIDE = 250;
/** Rows with the largest scales, in sparse regions, count as if they were here. */
const USUAL = 0.9;
/** What smooth data give at two quantiles over rows, which a minority of copies does not move. */
export const SMOOTH = [
  // Mean of nine exponential variables, qgamma(p, 9, 9); largest of nine, -log(1 - p^(1/9)).
  { quantile: 0.5, mean: 0.963217, first: 2.602 },
  { quantile: 0.75, mean: 1.200272, first: 3.459 },
] as const;

interface Neighbourhood {
  /** Distances of the nearest patients, ascending; the last is the scale. */
  readonly distances: readonly number[];
  /** Rows within the scale. */
  readonly rows: number;
}

/**
 * Learns the scale of the data. With K rows within the scale s of a row, about K (G(d) / G(s))^rho are expected within
 * d: G is the law of distances under the data's covariance, rho <= 1 how many of its dimensions the neighbours really
 * fill (they fill fewer in clusters and on curved surfaces). A pair is judged by the worse of its two rows.
 *
 * Source: Levina & Bickel 2004, NIPS 17 (dimension from the distances of neighbours), here on the scale of log G.
 */
export function calibrate(vectors: NearVectors, options: CalibrationOptions): Calibration {
  const { n, data, width, continuous, free, spread } = vectors;
  const { codes, looks, random } = options;
  const reference = sample(random, n, Math.min(n, REFERENCE));
  const spectrum = spectrumOf(vectors, reference.subarray(0, continuous > WIDE ? 2 * WIDE : REFERENCE));
  const law = distanceLaw(spectrum);
  const { similarity = usualSimilarity(n, spectrum) } = options;
  const share = n / reference.length;
  const around = (row: number) => neighbourhood(row, reference, data, width, codes);
  const queries = sample(random, n, Math.min(n, QUERIES)).filter((row) => free[row] > 0);
  const seen = Array.from(queries, (row) => ({ row, ...around(row) })).filter(({ distances }) => distances.at(-1)! > 0);
  if (seen.length === 0) return { limit: 0, detectable: 0, logExpected: () => Infinity };
  const scales = seen.map(({ distances }) => distances.at(-1)!).sort((a, b) => a - b);
  const usualScale = scales[Math.floor(USUAL * (scales.length - 1))];
  const rho = dimensionShare(
    law,
    seen.map(({ row, distances }) => ({ free: free[row], distances })),
  );
  const enough = Math.log(ALPHA / (looks * share));
  const cap = Math.sqrt(Math.max(0, 1 - similarity) * spread);
  const distanceFor = (scale: number, rows: number) =>
    Math.min(cap, law.distanceAt(law.logAt(scale) + (enough - Math.log(rows)) / rho));
  const typical = [...seen].sort((a, b) => a.rows - b.rows)[seen.length >> 1];
  const known = new Map<number, Neighbourhood>();
  const expectedAround = (row: number, distance: number, own: number): number => {
    const { distances, rows } = known.get(row) ?? around(row);
    known.set(row, { distances, rows });
    const scale = Math.min(distances.at(-1)!, usualScale);
    const filled = Math.min(rho * own, localShare(law, distances, distance));
    return Math.log(looks * share * rows) + filled * (law.logAt(distance) - law.logAt(scale));
  };
  return {
    limit: distanceFor(usualScale, Math.max(1, Math.min(NEIGHBOURS, reference.length - 1) - 1)),
    detectable: distanceFor(scales[scales.length >> 1], typical.rows) / Math.sqrt(sumOf(spectrum)),
    logExpected(first, second, distance) {
      const own = Math.min(free[first], free[second]);
      if (own === 0) return Infinity;
      return Math.max(expectedAround(first, distance, own), expectedAround(second, distance, own));
    },
  };
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
  const dimensions = sumOf(spectrum) ** 2 / sumOf(spectrum.map((value) => value * value));
  return 1 - 0.09 * Math.cbrt(100 / n) * Math.sqrt(Math.min(1, 16 / dimensions));
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

/** The nearest other patients of a row, each by its nearest row that is no copy. */
function neighbourhood(
  row: number,
  reference: Int32Array,
  data: Float32Array,
  width: number,
  codes: Int32Array | undefined,
): Neighbourhood {
  const squares: number[] = [];
  const units: number[] = [];
  const all = new Float64Array(reference.length).fill(Infinity);
  for (let at = 0; at < reference.length; at++) {
    const other = reference[at];
    const unit = codes ? codes[other] : other;
    if (unit === (codes ? codes[row] : row)) continue;
    const farthest = squares.length === NEIGHBOURS ? squares[NEIGHBOURS - 1] : Infinity;
    const square = squaredDistance(data, width, row, other, farthest);
    // A copy tells nothing of how near rows usually are.
    if (square === 0) continue;
    all[at] = square;
    if (square >= farthest) continue;
    const known = codes ? units.indexOf(unit) : -1;
    if (known >= 0 && squares[known] <= square) continue;
    const gone = known >= 0 ? known : squares.length === NEIGHBOURS ? NEIGHBOURS - 1 : -1;
    if (gone >= 0) {
      squares.splice(gone, 1);
      units.splice(gone, 1);
    }
    let place = squares.length;
    while (place > 0 && squares[place - 1] > square) place--;
    squares.splice(place, 0, square);
    units.splice(place, 0, unit);
  }
  const scale = squares[squares.length - 1];
  let rows = 0;
  for (const square of all) if (square <= scale) rows++;
  return { distances: squares.map(Math.sqrt), rows };
}

/**
 * The share of the dimensions of the law that neighbours fill, 1 unless it is clearly smaller: what smooth data would
 * give over what these give, for the mean over all neighbours and for the nearest, which sees finer structure.
 */
function dimensionShare(
  law: DistanceLaw,
  seen: readonly { readonly free: number; readonly distances: readonly number[] }[],
): number {
  const logs = seen.map(({ free, distances }) => {
    const last = law.logAt(distances.at(-1)!);
    return distances.slice(0, -1).map((distance) => Math.min(free * (last - law.logAt(distance)), 100));
  });
  const means = ascending(logs.map((each) => each.reduce((sum, log) => sum + log, 0) / each.length));
  const firsts = ascending(logs.map(([first]) => first));
  const shares = SMOOTH.flatMap(({ quantile, mean, first }) => {
    const at = Math.floor(quantile * (seen.length - 1));
    return [mean / means[at], first / firsts[at]];
  });
  const share = Math.min(...shares);
  return share * (1.1 + 3 / Math.sqrt(seen.length)) < 1 ? share : 1;
}

/**
 * The share of the dimensions that the other neighbours of a row fill, where they are clearly not spread as the law
 * says; else 1. Neighbours that are about as near as the pair in question are left out: they may be copies, too.
 */
function localShare(law: DistanceLaw, distances: readonly number[], distance: number): number {
  const last = law.logAt(distances.at(-1)!);
  const half = (last - law.logAt(distance)) / 2;
  const logs = distances
    .slice(0, -1)
    .map((each) => last - law.logAt(each))
    .filter((log) => log < half);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  return mean > 1 + 3 / Math.sqrt(logs.length) ? 1 / mean : 1;
}

const ascending = (values: number[]) => values.sort((a, b) => a - b);
