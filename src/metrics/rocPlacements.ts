import { gather, rowNumbers } from '../data/labels.js';
import { type Undefined, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

export type Ranked = Pick<ScoreTable, 'length' | 'positive' | 'yTrue' | 'weight'> & {
  readonly scores: Float64Array;
};

interface Ranking {
  readonly order: Int32Array;
  readonly sorted: Float64Array;
}

/** Resampled tables share their scores: they are sorted once. */
const rankings = new WeakMap<Float64Array, Ranking>();

/** Rows by ascending score, rows of equal scores in their own order. */
export const ascendingOrder = (scores: Float64Array): Int32Array => rankingOf(scores).order;

function rankingOf(scores: Float64Array): Ranking {
  let found = rankings.get(scores);
  if (!found) {
    const order = sortedRows(scores);
    found = { order, sorted: gather(scores, order) };
    rankings.set(scores, found);
  }
  return found;
}

/** {@link ascendingOrder}, sorted anew and not kept. No score may be NaN. */
export const sortedRows = (scores: Float64Array): Int32Array =>
  rowNumbers(scores.length).sort((a, b) => scores[a] - scores[b]);

/** Weights of the classes, and of the pairs of a positive and a negative row in which the positive scores higher. */
export interface Concordance {
  readonly positives: number;
  readonly negatives: number;
  readonly concordant: number;
}

/** For a run of equal scores: the weights of both classes below it and within it. */
export type AtTie = (
  from: number,
  to: number,
  belowPositive: number,
  belowNegative: number,
  tiedPositive: number,
  tiedNegative: number,
) => void;

/**
 * One pass over the sorted scores; `atTie` is called for every run `order[from]` ... `order[to - 1]` of equal scores.
 */
export function concordance({ scores, yTrue, weight, length, positive }: Ranked, atTie?: AtTie): Concordance {
  const { order, sorted } = rankingOf(scores);
  let positives = 0;
  let negatives = 0;
  let concordant = 0;
  for (let at = 0; at < length; ) {
    const from = at;
    const tie = sorted[at];
    let tiedPositive = 0;
    let tiedNegative = 0;
    for (; at < length && sorted[at] === tie; at++) {
      const row = order[at];
      const w = weight ? weight[row] : 1;
      if (yTrue[row] === positive) tiedPositive += w;
      else tiedNegative += w;
    }
    atTie?.(from, at, positives, negatives, tiedPositive, tiedNegative);
    concordant += tiedPositive * (negatives + tiedNegative / 2);
    positives += tiedPositive;
    negatives += tiedNegative;
  }
  return { positives, negatives, concordant };
}

export interface RocPlacements {
  readonly auc: number;
  readonly positives: number;
  readonly negatives: number;
  /**
   * For a positive row the share of the negatives that score lower, for a negative row the share of the positives that
   * score higher; ties count half. Their weighted means over either class are the area.
   */
  readonly values: Float64Array;
}

/**
 * O(n log n) with ties and weights.
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; the fast form, Sun & Xu 2014, IEEE SPL 21:1389.
 */
export function rocPlacements(ranked: Ranked): RocPlacements | Undefined {
  const { yTrue, positive, scores, length } = ranked;
  const order = ascendingOrder(scores);
  const values = new Float64Array(length);
  const { positives, negatives, concordant } = concordance(
    ranked,
    (from, to, belowPositive, belowNegative, tiedPositive, tiedNegative) => {
      for (let at = from; at < to; at++) {
        const row = order[at];
        values[row] = yTrue[row] === positive ? belowNegative + tiedNegative / 2 : belowPositive + tiedPositive / 2;
      }
    },
  );
  if (positives === 0) return undefinedBecause('no positive rows');
  if (negatives === 0) return undefinedBecause('no negative rows');
  for (let row = 0; row < length; row++) {
    values[row] = yTrue[row] === positive ? values[row] / negatives : 1 - values[row] / positives;
  }
  return { auc: Math.min(1, concordant / (positives * negatives)), positives, negatives, values };
}
