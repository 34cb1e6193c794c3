import { joinRows } from '../../core/joinRows.js';
import { type RandomState, randomSource } from '../../core/random.js';
import type { Rows } from '../../core/rows.js';
import { readFeatures } from '../features.js';
import { nearPairs } from './nearPairs.js';

export interface BetweenOptions {
  /** Least similarity of a pair, 0 to 1. */
  readonly similarityThreshold?: number;
  readonly metric?: 'euclidean' | 'cosine';
  readonly randomState?: RandomState;
}

/** Near-duplicates between two sets. */
export interface NearBetween {
  /** The most similar first. Rows are numbered within their own set. */
  readonly pairs: readonly { readonly trainIndex: number; readonly testIndex: number; readonly similarity: number }[];
  /** Number of test rows that were judged; 0 with `reason`. */
  readonly tested: number;
  /** Similarity from which a pair can be told from chance and meets the threshold. */
  readonly limit: number;
  /** Noise, in standard deviations per feature, that a copy may have to be found. */
  readonly detectable: number;
  /** Why the sets could not be judged. */
  readonly reason?: string;
}

/**
 * Test rows that are copies or almost copies of training rows: at least as similar as the threshold (1 - d^2 / E(d^2)
 * of standardised rows, or their cosine), and nearer than chance brings rows of these data. Vectors of a model's, one
 * per row, can stand in for the rows.
 */
export async function nearDuplicatesBetween(
  train: Rows,
  test: Rows,
  { similarityThreshold = 0.99, metric = 'euclidean', randomState = 42 }: BetweenOptions = {},
): Promise<NearBetween> {
  const features = await readFeatures(joinRows(train, test));
  const trained = train.length;
  const { pairs, leastSimilarity, detectable, reason } = nearPairs(features, {
    units: features.n,
    crossPairs: trained * test.length,
    wanted: (first, second) => first < trained && second >= trained,
    similarity: similarityThreshold,
    metric,
    copies: true,
    random: randomSource(randomState),
  });
  return {
    pairs: pairs.map(({ first, second, similarity }) => ({
      trainIndex: first,
      testIndex: second - trained,
      similarity,
    })),
    tested: reason ? 0 : test.length,
    limit: leastSimilarity,
    detectable,
    ...(reason ? { reason } : {}),
  };
}
