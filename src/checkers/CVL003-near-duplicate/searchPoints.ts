/** Pairs of points that are nearer to each other than chance explains. */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { productKernel } from '../features/productKernel.js';
import { ALPHA, type CalibrationOptions, calibrate, REFERENCE } from './calibration.js';
import { areUnits, type Clusters } from './clusters.js';
import { NEIGHBOURS } from './neighbours.js';
import { type Points, pairsWithin } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

export interface PointPair {
  readonly first: number;
  readonly second: number;
  /** 1 - d^2 / E(d^2): 1 for equal rows, about 0 for two rows taken at random; or the cosine. */
  readonly similarity: number;
  readonly distance: number;
}

export interface PointOptions extends CalibrationOptions {
  readonly wanted: (first: number, second: number) => boolean;
  /** What may explain that rows come in clusters: sites, scanners. */
  readonly levels?: readonly Level[] | undefined;
}

/** A level above the patient: its name, and a code for each row. */
export interface Level {
  readonly name: string;
  readonly codes: Int32Array;
}

/** How many copies were made of images, and how many of those would be found. */
export interface Trial {
  readonly found: number;
  readonly of: number;
  /** The same of copies that were not moved, but of which a part is covered. */
  readonly covered?: { readonly found: number; readonly of: number };
}

/** What was found among points, or why nothing could be. */
export interface PointSearch {
  readonly pairs: readonly PointPair[];
  /** Pairs must be at least this similar to be accused. */
  readonly leastSimilarity: number;
  readonly features: number;
  /** Noise, in standard deviations per feature, that a copy may have to be found; 0 with `reason`. */
  readonly detectable: number;
  readonly trial?: Trial;
  readonly reason?: string;
  /** `reason` is that nothing could be seen in data like these, whatever else were passed. */
  readonly notDetectable?: true;
  /** `reason` is no lack of data but a finding: the clusters in which rows come, where they are known. */
  readonly tightClusters?: readonly Clusters[];
  readonly note?: string;
}

/** Copies with less noise than this are not told from rounding. */
const ROUNDING = 1e-6;
/** Where nothing was found and no more noise than this would have been, that is no pass: writing six digits makes as much. */
const WRITTEN = 1e-5;

/** Finds them, and exact copies. Every draw comes from `random`. */
export function searchPoints(points: NearVectors, options: PointOptions): PointSearch {
  const { codes, wanted, levels = [], random } = options;
  const { n, continuous: features, meanSquaredDistance } = points;
  const nothing = { pairs: [], leastSimilarity: 1, features, detectable: 0 };
  if (features === 0 || meanSquaredDistance === 0) {
    const reason = 'No feature is continuous: rows that agree are exact copies, which CVL002 finds.';
    return { ...nothing, reason, notDetectable: true };
  }
  const vectors = reduceColumns(points);
  const scale = calibrate(vectors, options);
  const { limit, clusters } = scale;
  const level = clusters && levels.find((each) => areUnits(clusters, each.codes));
  // Among the rows that are looked at, the neighbours of a row must be in its cluster.
  const tooFew = clusters !== undefined && (clusters.size * Math.min(n, REFERENCE)) / n <= NEIGHBOURS;
  if (level && tooFew) {
    const reason = `Near-duplicates cannot be told: rows of one ${nameText(level.name)} are far nearer to each other than to all others, and few of each are looked at.`;
    return { ...nothing, reason };
  }
  const beyond = (noise: number) =>
    `Near-duplicates are not detectable at this n: in ${counted(n, 'row')} with ${counted(features, 'continuous feature')} chance brings rows as near as copies with noise of ${Number(noise.toFixed(6))} standard deviations per feature are.`;
  const unexplained = clusters && !level;
  if (!unexplained && !scale.isDetectable(ROUNDING)) {
    return { ...nothing, reason: beyond(ROUNDING), notDetectable: true };
  }
  const across = codes ? (i: number, j: number) => codes[i] !== codes[j] && wanted(i, j) : wanted;
  const isKnown = !tooFew || clusters.size <= NEIGHBOURS;
  const { first, second, distance, truncated } = pairsWithin(vectors, isKnown ? limit : 0, random, across);
  const isRare = (i: number, j: number, gap: number) =>
    scale.logExpected(i, j, Math.max(gap, vectors.resolution)) < Math.log(ALPHA);
  const pairs: PointPair[] = [];
  for (let at = 0; at < first.length; at++) {
    const pair = { first: first[at], second: second[at], distance: distance[at] };
    if (!isRare(pair.first, pair.second, pair.distance)) continue;
    pairs.push({ ...pair, similarity: 1 - pair.distance ** 2 / meanSquaredDistance });
  }
  const found = {
    pairs,
    leastSimilarity: 1 - limit ** 2 / meanSquaredDistance,
    features,
    detectable: scale.detectable(),
  };
  const unit = codes ? 'patient' : 'row';
  if (unexplained) return { ...found, ...clustersOf(clusters, options) };
  if (truncated && pairs.length === 0) {
    const reason = `Rows come in tight clusters: too many have other ${unit}s that are too near to judge all pairs.`;
    return { ...found, tightClusters: [], reason };
  }
  // Equal rows are another check's.
  if (found.detectable < WRITTEN && pairs.every(({ distance }) => distance === 0)) {
    return { ...found, ...clustersOf(clusters, options), reason: beyond(WRITTEN), notDetectable: true };
  }
  return { ...found, ...clustersOf(clusters, options) };
}

/** What is to be said of clusters: a finding, or what they were taken for. */
export function clustersOf(
  clusters: Clusters | undefined,
  { codes, levels = [] }: Pick<PointOptions, 'codes' | 'levels'>,
): Pick<PointSearch, 'tightClusters' | 'reason' | 'note'> {
  if (!clusters) return {};
  const level = levels.find((each) => areUnits(clusters, each.codes));
  const described = describe(clusters, codes ? 'patient' : 'row');
  if (level) return { note: `${described}: each is of one ${nameText(level.name)}.` };
  return { tightClusters: [clusters], reason: `${described}.` };
}

function describe({ size, separation }: Clusters, unit: string): string {
  return `Rows come in tight clusters of about ${counted(size, unit)}, about ${Number(separation.toPrecision(1))} times as far from each other as rows in them are`;
}

// Few rows of many columns: the same points in as many columns as rows.

/** With more rows the product of all pairs takes longer than it saves. */
const MOST_ROWS = 500;
/** Of the square of a row so much is rounding. */
const NEGLIGIBLE = 1e-10;

/** The vectors turned so that they have no more continuous columns than rows, and no more others. */
function reduceColumns(vectors: NearVectors): NearVectors {
  const { n, data, width, continuous } = vectors;
  if (n > MOST_ROWS || width <= 2 * n) return vectors;
  const columns = (from: number, to: number): Points => {
    const part = new Float32Array(n * (to - from));
    for (let row = 0; row < n; row++) part.set(data.subarray(row * width + from, row * width + to), row * (to - from));
    return gramRoot({ data: part, width: to - from });
  };
  const [numbers, others] = [columns(0, continuous), columns(continuous, width)];
  const total = numbers.width + others.width;
  const joined = new Float32Array(n * total);
  for (let row = 0; row < n; row++) {
    for (const [part, at] of [
      [numbers, 0],
      [others, numbers.width],
    ] as const) {
      joined.set(part.data.subarray(row * part.width, (row + 1) * part.width), row * total + at);
    }
  }
  return { ...vectors, data: joined, width: total, continuous: numbers.width };
}

/**
 * Points with the same distances in as many columns as there are rows: rows of L, where L L' is the product of all pairs
 * of rows (Cholesky). Rows that are equal stay equal.
 */
function gramRoot(points: Points): Points {
  const { data, width } = points;
  const n = data.length / width;
  // Also without any column.
  if (!(width > n)) return points;
  const lower = products(points);
  const squares = Float64Array.from({ length: n }, (_, row) => lower[row * n + row]);
  for (let row = 0; row < n; row++) {
    const from = row * n;
    // The product of equal rows is the square of each.
    const same = squares.findIndex((square, at) => at < row && square === squares[row] && lower[from + at] === square);
    if (same >= 0) {
      lower.copyWithin(from, same * n, same * n + row + 1);
      continue;
    }
    for (let at = 0; at <= row; at++) {
      let rest = lower[from + at];
      for (let k = 0; k < at; k++) rest -= lower[from + k] * lower[at * n + k];
      const pivot = lower[at * n + at];
      if (at === row) lower[from + at] = rest > NEGLIGIBLE * squares[row] ? Math.sqrt(rest) : 0;
      else lower[from + at] = pivot > 0 ? rest / pivot : 0;
    }
  }
  return { data: Float32Array.from(lower), width: n };
}

const TILE = 1024;

function products({ data, width }: Points): Float64Array {
  const n = data.length / width;
  const out = new Float64Array(n * n);
  const kernel = productKernel(n, TILE);
  const part = new Float64Array(TILE);
  for (let from = 0; from < width; from += TILE) {
    for (let row = 0; row < n; row++) {
      part.fill(0).set(data.subarray(row * width + from, row * width + Math.min(width, from + TILE)));
      kernel.put(row, part);
      const found = kernel.products(part, row + 1);
      for (let other = 0; other <= row; other++) out[row * n + other] += found[other];
    }
  }
  return out;
}
