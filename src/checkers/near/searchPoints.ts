/** Pairs of points that are nearer to each other than chance explains. */
import { counted } from '../../core/format.js';
import type { RandomSource } from '../../core/random.js';
import { ALPHA, calibrate } from './calibration.js';
import { pairsWithin } from './pairsWithin.js';
import type { NearVectors } from './vectors.js';

/** Two rows, `first` before `second`. */
export interface PointPair {
  readonly first: number;
  readonly second: number;
  /** 1 - d^2 / E(d^2): 1 for equal rows, about 0 for two rows taken at random; or the cosine. */
  readonly similarity: number;
}

export interface PointOptions {
  /** Code of the patient of each row; left out, rows are on their own. */
  readonly codes?: Int32Array | undefined;
  /** Number of pairs across folds per row. */
  readonly looks: number;
  /** Whether a pair is of interest, besides being of two patients. */
  readonly wanted: (first: number, second: number) => boolean;
  /** Least similarity of a pair; left out, what is a close copy in so many rows. */
  readonly similarity?: number | undefined;
  readonly random: RandomSource;
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
  /** Why nothing could be judged. */
  readonly reason?: string;
  /** `reason` is no lack of data but a finding. */
  readonly odd?: true;
}

/** Copies with less noise than this are not told from rounding. */
const ROUNDING = 1e-6;

/** Finds them, and exact copies. Every draw comes from `random`. */
export function searchPoints(vectors: NearVectors, options: PointOptions): PointSearch {
  const { codes, looks, wanted, similarity, random } = options;
  const { n, continuous: features, spread } = vectors;
  const nothing = { pairs: [], leastSimilarity: 1, features, detectable: 0 };
  if (features === 0 || spread === 0) {
    return { ...nothing, reason: 'No feature is continuous: rows that agree are exact copies, which CVL002 finds.' };
  }
  const { limit, detectable, clustered, logExpected } = calibrate(vectors, { codes, looks, similarity, random });
  if (!clustered && !(detectable >= ROUNDING)) {
    const reason = `Near-duplicates are not detectable at this n: in ${counted(n, 'row')} with ${counted(features, 'continuous feature')} chance brings rows as near as ${ROUNDING} standard deviations.`;
    return { ...nothing, reason };
  }
  const across = codes ? (i: number, j: number) => codes[i] !== codes[j] && wanted(i, j) : wanted;
  const { first, second, distance, truncated } = pairsWithin(vectors, limit, random, across);
  const pairs: PointPair[] = [];
  for (let at = 0; at < first.length; at++) {
    if (!(logExpected(first[at], second[at], distance[at]) < Math.log(ALPHA))) continue;
    pairs.push({ first: first[at], second: second[at], similarity: 1 - distance[at] ** 2 / spread });
  }
  const found = { pairs, leastSimilarity: 1 - limit ** 2 / spread, features, detectable };
  if (clustered || (truncated && pairs.length === 0)) {
    const others = codes ? ' of other patients' : '';
    return {
      ...found,
      odd: true,
      reason: `Rows come in tight clusters: most have rows${others} far nearer than the next.`,
    };
  }
  return found;
}
