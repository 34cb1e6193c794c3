import { type RandomState, randomSource } from '../../core/random.js';
import { joinRows } from '../../data/joinRows.js';
import type { Rows } from '../../data/rows.js';
import { readFeatures } from '../features/features.js';
import { type NearSearch, nearPairs, pairsAbove } from './nearPairs.js';

export interface BetweenOptions {
  /** Least similarity of a pair, 0 to 1. */
  readonly similarityThreshold: number;
  readonly metric: 'euclidean' | 'cosine';
  /** The rows are a model's vectors. */
  readonly embedded?: boolean;
  /** The threshold alone decides, whatever chance brings together. */
  readonly decides?: boolean;
  readonly randomState: RandomState;
}

/** Near-duplicates between two sets. */
export interface NearBetween extends Omit<NearSearch, 'pairs'> {
  /** The most similar first. Rows are numbered within their own set. */
  readonly pairs: readonly { readonly trainIndex: number; readonly testIndex: number; readonly similarity: number }[];
  /** There are more pairs: the search ended. */
  readonly truncated?: boolean;
  /** Number of test rows that were judged; 0 where they could not be. */
  readonly tested: number;
}

/**
 * Test rows that are copies or almost copies of training rows: at least as similar as the threshold (1 - d^2 / E(d^2)
 * of standardised rows, or their cosine), and nearer to each other than chance explains, unless the threshold is to
 * decide. Vectors of a model's, one
 * per row, can stand in for the rows.
 */
export async function nearDuplicatesBetween(
  train: Rows,
  test: Rows,
  { similarityThreshold, metric, embedded = false, decides = false, randomState }: BetweenOptions,
): Promise<NearBetween> {
  const features = await readFeatures(joinRows(train, test));
  const trained = train.length;
  const asked = {
    wanted: (first: number, second: number) => first < trained && second >= trained,
    similarity: similarityThreshold,
    metric,
    embedded,
    random: randomSource(randomState),
  };
  const { pairs, ...search }: NearSearch & { readonly truncated?: boolean } = decides
    ? { inputs: [], ...pairsAbove(features, asked) }
    : nearPairs(features, { ...asked, units: features.n, crossPairs: trained * test.length, copies: true });
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
