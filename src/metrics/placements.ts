/** Ranks of scores between two classes: what the area under the ROC curve and its variance are made of. */
import { type Undefined, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** A binary table with scores; they need not be probabilities. */
export type Ranked = Pick<ScoreTable, 'length' | 'positive' | 'yTrue' | 'weight'> & { readonly scores: Float64Array };

/** Scores of resampled tables are the same under other weights: they are sorted once. */
const orders = new WeakMap<Float64Array, Int32Array>();

/** Rows by ascending score. */
export function ascendingOrder(scores: Float64Array): Int32Array {
  let order = orders.get(scores);
  if (!order) {
    order = Int32Array.from(scores, (_, row) => row).sort((a, b) => scores[a] - scores[b]);
    orders.set(scores, order);
  }
  return order;
}

/** Weights of the classes, and of the pairs of a positive and a negative row in which the positive scores higher. */
export interface Concordance {
  readonly positives: number;
  readonly negatives: number;
  /** Ties count half. */
  readonly concordant: number;
}

/**
 * Counts concordant pairs in one pass over the sorted scores. `atTie`, when given, is called for every run
 * `order[from]` ... `order[to - 1]` of equal scores with the weights of both classes below it and within it.
 */
export function concordance(
  { scores, yTrue, weight, length, positive }: Ranked,
  atTie?: (
    run: { readonly from: number; readonly to: number },
    below: readonly [positive: number, negative: number],
    tied: readonly [positive: number, negative: number],
  ) => void,
): Concordance {
  const order = ascendingOrder(scores);
  let [positives, negatives, concordant] = [0, 0, 0];
  for (let at = 0; at < length; ) {
    const from = at;
    const tie = scores[order[at]];
    let [tiedPositive, tiedNegative] = [0, 0];
    for (; at < length && scores[order[at]] === tie; at++) {
      const row = order[at];
      const w = weight ? weight[row] : 1;
      if (yTrue[row] === positive) tiedPositive += w;
      else tiedNegative += w;
    }
    atTie?.({ from, to: at }, [positives, negatives], [tiedPositive, tiedNegative]);
    concordant += tiedPositive * (negatives + tiedNegative / 2);
    positives += tiedPositive;
    negatives += tiedNegative;
  }
  return { positives, negatives, concordant };
}

export interface Placements {
  readonly auc: number;
  readonly positives: number;
  readonly negatives: number;
  /**
   * For each row how far the other class lies on its right side: for a positive row the share of the negatives that
   * score lower, for a negative row the share of the positives that score higher; ties count half. Their weighted
   * means over either class are the area.
   */
  readonly values: Float64Array;
}

/**
 * The placement of every row among the rows of the other class, O(n log n) with ties and weights.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; the fast form, Sun & Xu 2014, IEEE SPL 21:1389.
 */
export function placements(ranked: Ranked): Placements | Undefined {
  const { yTrue, positive, scores, length } = ranked;
  const order = ascendingOrder(scores);
  const values = new Float64Array(length);
  const { positives, negatives, concordant } = concordance(ranked, ({ from, to }, below, tied) => {
    for (let at = from; at < to; at++) {
      const row = order[at];
      const other = yTrue[row] === positive ? 1 : 0;
      values[row] = below[other] + tied[other] / 2;
    }
  });
  if (positives === 0) return undefinedBecause('no positive rows');
  if (negatives === 0) return undefinedBecause('no negative rows');
  for (let row = 0; row < length; row++) {
    values[row] = yTrue[row] === positive ? values[row] / negatives : 1 - values[row] / positives;
  }
  return { auc: Math.min(1, concordant / (positives * negatives)), positives, negatives, values };
}
