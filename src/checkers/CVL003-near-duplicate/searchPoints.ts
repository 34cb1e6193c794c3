/** Pairs of points that are nearer to each other than chance explains. */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { ALPHA, type CalibrationOptions, calibrate, REFERENCE } from './calibration.js';
import { areUnits, type Clusters } from './clusters.js';
import { NEIGHBOURS } from './neighbours.js';
import { type NearbyPair, pairsWithin } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

export interface PointPair extends NearbyPair {
  /** 1 - d^2 / E(d^2): 1 for equal rows, about 0 for two rows taken at random; or the cosine. */
  readonly similarity: number;
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
export interface TrialCopies {
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
  /** Share of the rows of which copies are told; left out where it is all. */
  readonly judged?: number;
  readonly trial?: TrialCopies;
  readonly reason?: string;
  /** `reason` is that nothing could be seen in data like these, whatever else were passed. */
  readonly notDetectable?: true;
  /** `reason` is no lack of data but a finding: the clusters in which rows come, where they are known. */
  readonly tightClusters?: readonly Clusters[];
  readonly note?: string;
}

/** Where nothing was found and no more noise than this would have been, that is no pass: writing six digits makes as much. */
const WRITTEN = 1e-5;

/** Finds them, and exact copies. Every draw comes from `random`. */
export async function searchPoints(points: NearVectors, options: PointOptions): Promise<PointSearch> {
  const { codes, wanted, levels = [], random } = options;
  const { n, continuous: features, meanSquaredDistance } = points;
  const nothing = { pairs: [], leastSimilarity: 1, features, detectable: 0 };
  if (features === 0 || meanSquaredDistance === 0) {
    const reason = 'No feature is continuous: rows that agree are exact copies, which CVL002 finds.';
    return { ...nothing, reason, notDetectable: true };
  }
  const scale = await calibrate(points, options);
  const { limit, clusters } = scale;
  const level = await levelOf(clusters, levels);
  // Among the rows that are looked at, the neighbours of a row must be in its cluster.
  const tooFew = clusters !== undefined && (clusters.size * Math.min(n, REFERENCE)) / n <= NEIGHBOURS;
  if (level && tooFew) {
    const reason = `Near-duplicates cannot be told: rows of one ${nameText(level.name)} are far nearer to each other than to all others, and few of each are looked at.`;
    return { ...nothing, reason };
  }
  const reason = `Near-duplicates are not detectable at this n: in ${counted(n, 'row')} with ${counted(features, 'continuous feature')} chance brings rows as near as copies with noise of ${WRITTEN.toFixed(5)} standard deviations per feature are.`;
  if (limit === 0 && (!clusters || level)) return { ...nothing, reason, notDetectable: true };
  const across = codes ? (i: number, j: number) => codes[i] !== codes[j] && wanted(i, j) : wanted;
  const isKnown = !tooFew || clusters.size <= NEIGHBOURS;
  const near = await pairsWithin(points, isKnown ? limit : 0, random, across);
  const pairs: PointPair[] = [];
  for (const pair of near.pairs) {
    await yieldToPage();
    const { first, second, distance } = pair;
    if (scale.logExpected(first, second, distance) < Math.log(ALPHA))
      pairs.push({ ...pair, similarity: 1 - distance ** 2 / meanSquaredDistance });
  }
  const found = {
    pairs,
    leastSimilarity: 1 - limit ** 2 / meanSquaredDistance,
    features,
    ...(await scale.reach()),
    ...(await clustersOf(clusters, options)),
  };
  if (clusters && !level) return found;
  if (near.truncated && pairs.length === 0) {
    const tight = `Rows come in tight clusters: too many have other ${codes ? 'patient' : 'row'}s that are too near to judge all pairs.`;
    return { ...found, tightClusters: [], reason: tight };
  }
  // Equal rows are another check's.
  if (found.detectable >= WRITTEN || pairs.some(({ distance }) => distance > 0)) return found;
  return { ...found, reason, notDetectable: true };
}

/** The level of whose units the clusters are, if any. */
async function levelOf(clusters: Clusters | undefined, levels: readonly Level[]): Promise<Level | undefined> {
  if (!clusters || levels.length === 0) return undefined;
  const places = await clusters.places();
  return levels.find(({ codes }) => areUnits(places, clusters.kept.length, codes));
}

/** What is to be said of clusters: a finding, or what they were taken for. */
export async function clustersOf(
  clusters: Clusters | undefined,
  { codes, levels = [] }: Pick<PointOptions, 'codes' | 'levels'>,
): Promise<Pick<PointSearch, 'tightClusters' | 'reason' | 'note'>> {
  if (!clusters) return {};
  const level = await levelOf(clusters, levels);
  const described = describe(clusters, codes ? 'patient' : 'row');
  if (level) return { note: `${described}: each is of one ${nameText(level.name)}.` };
  return { tightClusters: [clusters], reason: `${described}.` };
}

function describe({ size, separation }: Clusters, unit: string): string {
  return `Rows come in tight clusters of about ${counted(size, unit)}, about ${Number(separation.toPrecision(1))} times as far from each other as rows in them are`;
}
