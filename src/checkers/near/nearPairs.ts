/** Pairs of rows that are nearer to each other than chance explains. */
import { counted } from '../../core/format.js';
import type { RandomSource } from '../../core/random.js';
import type { Features } from '../features.js';
import { ALPHA, calibrate, FEWEST } from './calibration.js';
import { pairsWithin } from './pairsWithin.js';
import { nearVectors, turned } from './vectors.js';

export interface NearPair {
  readonly first: number;
  readonly second: number;
  /** 1 - d^2 / E(d^2): 1 for equal rows, about 0 for two rows taken at random; or the cosine. */
  readonly similarity: number;
}

/** What was found, or why nothing could be. */
export interface NearSearch {
  /** The most similar first. */
  readonly pairs: readonly NearPair[];
  /** Pairs must be at least this similar to be accused. */
  readonly leastSimilarity: number;
  /** Noise, in standard deviations per feature, that a copy may have to be found; 0 with `reason`. */
  readonly detectable: number;
  /** Continuous features, or numbers per image. */
  readonly features: number;
  /** Why this could not be judged. */
  readonly reason?: string;
  /** What to pass so that it can be. */
  readonly fix?: string;
}

export interface NearOptions {
  readonly codes?: Int32Array | undefined;
  /** Number of patients (of rows without `codes`). */
  readonly units: number;
  /** Pairs of rows that folds put on two sides, or more. */
  readonly crossPairs: number;
  /** Whether a pair is of interest, besides being of two patients. */
  readonly wanted?: (first: number, second: number) => boolean;
  /** Least similarity of a pair; left out, what is a close copy in so many rows. */
  readonly similarity?: number;
  /** `cosine`: rows are compared by their directions from the centre; the similarity is the cosine. */
  readonly metric?: 'euclidean' | 'cosine';
  /** Exact copies count, too. */
  readonly copies?: boolean;
  readonly random: RandomSource;
}

/** Copies with less noise than this are not told from rounding. */
const ROUNDING = 1e-6;

/** Finds them. Every draw comes from `random`: the same source gives the same result. */
export function nearPairs(features: Features, options: NearOptions): NearSearch {
  const { codes, units, crossPairs, wanted = () => true, copies = false, random } = options;
  const { n } = features;
  const placed = nearVectors(features, random);
  const vectors = options.metric === 'cosine' ? turned(placed) : placed;
  const nothing = { pairs: [], leastSimilarity: 1, detectable: 0, features: vectors.continuous };
  if (units < FEWEST) {
    const reason = `What distance is usual can be told from ${FEWEST} patients (rows, without \`groups\`) or more. Got ${units}.`;
    return { ...nothing, reason, fix: `Pass rows of ${FEWEST} patients or more.` };
  }
  if (vectors.continuous === 0 || vectors.spread === 0) {
    return { ...nothing, reason: 'No feature is continuous: rows that agree are exact copies, which CVL002 finds.' };
  }
  const looks = Math.min(n / 2, crossPairs / (n - 1));
  const { limit, detectable, logExpected } = calibrate(vectors, {
    codes,
    looks,
    similarity: options.similarity,
    random,
  });
  if (!(detectable >= ROUNDING)) {
    const reason = `Near-duplicates are not detectable at this n: in ${counted(n, 'row')} with ${counted(vectors.continuous, 'continuous feature')} chance brings rows as near as ${ROUNDING} standard deviations.`;
    return { ...nothing, reason };
  }
  const across = codes ? (i: number, j: number) => codes[i] !== codes[j] && wanted(i, j) : wanted;
  const { first, second, distance, truncated } = pairsWithin(vectors, limit, random, across);
  const pairs: NearPair[] = [];
  for (let at = 0; at < first.length; at++) {
    if (!(logExpected(first[at], second[at], distance[at]) < Math.log(ALPHA))) continue;
    if (!copies && isCopy(features, first[at], second[at])) continue;
    pairs.push({
      first: first[at],
      second: second[at],
      similarity: 1 - (distance[at] * distance[at]) / vectors.spread,
    });
  }
  if (truncated && pairs.length === 0) {
    return {
      ...nothing,
      reason: 'More pairs of rows are near each other than could be judged: they are mostly copies.',
    };
  }
  pairs.sort((a, b) => b.similarity - a.similarity);
  return { pairs, leastSimilarity: 1 - (limit * limit) / vectors.spread, detectable, features: vectors.continuous };
}

/** Whether all cells are equal. */
function isCopy({ columns, images }: Features, i: number, j: number): boolean {
  if (images) {
    const { high, low } = images.content;
    return high[i] === high[j] && low[i] === low[j];
  }
  return columns.every(({ values }) => values[i] === values[j] || (Number.isNaN(values[i]) && Number.isNaN(values[j])));
}
