import { joinRows } from '../../core/joinRows.js';
import { type RandomState, randomSource } from '../../core/random.js';
import type { Rows } from '../../core/rows.js';
import { readFeatures } from '../features.js';
import { type NearSearch, nearPairs } from './nearPairs.js';

export interface BetweenOptions {
  /** Least similarity of a pair, 0 to 1. */
  readonly similarityThreshold: number;
  readonly metric: 'euclidean' | 'cosine';
  /** The rows are a model's vectors. */
  readonly embedded?: boolean;
  readonly randomState: RandomState;
}

/** Near-duplicates between two sets. */
export interface NearBetween extends Omit<NearSearch, 'pairs'> {
  /** The most similar first. Rows are numbered within their own set. */
  readonly pairs: readonly { readonly trainIndex: number; readonly testIndex: number; readonly similarity: number }[];
  /** Number of test rows that were judged; 0 where they could not be. */
  readonly tested: number;
}

/**
 * Test rows that are copies or almost copies of training rows: at least as similar as the threshold (1 - d^2 / E(d^2)
 * of standardised rows, or their cosine), and nearer than chance brings rows of these data. Vectors of a model's, one
 * per row, can stand in for the rows.
 */
export async function nearDuplicatesBetween(
  train: Rows,
  test: Rows,
  { similarityThreshold, metric, embedded = false, randomState }: BetweenOptions,
): Promise<NearBetween> {
  const features = await readFeatures(joinRows(train, test));
  const trained = train.length;
  const { pairs, ...search } = nearPairs(features, {
    units: features.n,
    crossPairs: trained * test.length,
    wanted: (first, second) => first < trained && second >= trained,
    similarity: similarityThreshold,
    metric,
    embedded,
    copies: true,
    random: randomSource(randomState),
  });
  return {
    ...search,
    pairs: pairs.map(({ first, second, similarity }) => ({
      trainIndex: first,
      testIndex: second - trained,
      similarity,
    })),
    tested: search.reason && !search.odd ? 0 : test.length,
  };
}
