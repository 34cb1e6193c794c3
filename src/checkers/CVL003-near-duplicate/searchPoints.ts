/** Pairs of points that are nearer to each other than chance explains. */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { ALPHA, type CalibrationOptions, calibrate, REFERENCE } from './calibration.js';
import { areUnits, type Clusters } from './clusters.js';
import { NEIGHBOURS } from './neighbours.js';
import { pairsWithin } from './pairsWithin.js';
import { reduceColumns } from './reduceColumns.js';
import type { NearVectors } from './vectors.js';

/** Two rows, `first` before `second`. */
export interface PointPair {
  readonly first: number;
  readonly second: number;
  /** 1 - d^2 / E(d^2): 1 for equal rows, about 0 for two rows taken at random; or the cosine. */
  readonly similarity: number;
  readonly distance: number;
}

export interface PointOptions extends CalibrationOptions {
  /** Whether a pair is of interest, besides being of two patients. */
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
  /** Continuous features. */
  readonly features: number;
  /** Noise, in standard deviations per feature, that a copy may have to be found; 0 with `reason`. */
  readonly detectable: number;
  /** Of images: copies that were made of some of them. */
  readonly trial?: Trial;
  /** Why nothing could be judged. */
  readonly reason?: string;
  /** `reason` is that nothing could be seen in data like these, whatever else were passed. */
  readonly notDetectable?: true;
  /** `reason` is no lack of data but a finding: the clusters in which rows come, where they are known. */
  readonly odd?: readonly Clusters[];
  /** What one should know beside. */
  readonly note?: string;
}

/** Copies with less noise than this are not told from rounding. */
const ROUNDING = 1e-6;
/** Where nothing was found and no more noise than this would have been, that is no pass: writing six digits makes as much. */
const WRITTEN = 1e-5;

/** Finds them, and exact copies. Every draw comes from `random`. */
export function searchPoints(given: NearVectors, options: PointOptions): PointSearch {
  const { codes, wanted, levels = [], random } = options;
  const { n, continuous: features, meanSquaredDistance } = given;
  const nothing = { pairs: [], leastSimilarity: 1, features, detectable: 0 };
  if (features === 0 || meanSquaredDistance === 0) {
    const reason = 'No feature is continuous: rows that agree are exact copies, which CVL002 finds.';
    return { ...nothing, reason, notDetectable: true };
  }
  const vectors = reduceColumns(given);
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
  const odd = clusters && !level;
  if (!odd && !scale.isDetectable(ROUNDING)) {
    return { ...nothing, reason: beyond(ROUNDING), notDetectable: true };
  }
  const across = codes ? (i: number, j: number) => codes[i] !== codes[j] && wanted(i, j) : wanted;
  const isTold = !tooFew || clusters.size <= NEIGHBOURS;
  const { first, second, distance, truncated } = pairsWithin(vectors, isTold ? limit : 0, random, across);
  const isRare = (i: number, j: number, apart: number) =>
    scale.logExpected(i, j, Math.max(apart, vectors.resolution)) < Math.log(ALPHA);
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
  if (odd) return { ...found, ...clustersOf(clusters, options) };
  if (truncated && pairs.length === 0) {
    const reason = `Rows come in tight clusters: too many have other ${unit}s that are too near to judge all pairs.`;
    return { ...found, odd: [], reason };
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
): Pick<PointSearch, 'odd' | 'reason' | 'note'> {
  if (!clusters) return {};
  const level = levels.find((each) => areUnits(clusters, each.codes));
  const described = describe(clusters, codes ? 'patient' : 'row');
  if (level) return { note: `${described}: each is of one ${nameText(level.name)}.` };
  return { odd: [clusters], reason: `${described}.` };
}

function describe({ size, apart }: Clusters, unit: string): string {
  return `Rows come in tight clusters of about ${counted(size, unit)}, about ${Number(apart.toPrecision(1))} times as far from each other as rows in them are`;
}
