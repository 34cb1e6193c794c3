/** Ranks of scores between two classes: what the area under the ROC curve and its variance are made of. */
import { gather } from '../data/labels.js';
import { type Undefined, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** A binary table with scores; they need not be probabilities. */
export type Ranked = Pick<ScoreTable, 'length' | 'positive' | 'yTrue' | 'weight' | 'fixed'> & {
  readonly scores: Float64Array;
};

interface Ranking {
  readonly order: Int32Array;
  readonly sorted: Float64Array;
  /** Of a table whose weights alone change. */
  marks?: Marks;
}

/** What a pass over sorted scores asks of each place. */
interface Marks extends Pick<ScoreTable, 'yTrue' | 'positive'> {
  /** 1 for a positive row. */
  readonly ofPositive: Uint8Array;
  /** 1 for the last of equal scores. */
  readonly last: Uint8Array;
  /** The rows themselves ascend. */
  readonly inOrder: boolean;
}

/** Resampled tables share their scores and differ in weights: scores are sorted once. */
const rankings = new WeakMap<Float64Array, Ranking>();

/** Rows by ascending score, rows of equal scores in their own order. */
export const ascendingOrder = (scores: Float64Array): Int32Array => rankingOf(scores).order;

function rankingOf(scores: Float64Array): Ranking {
  let found = rankings.get(scores);
  if (!found) {
    const order = new Int32Array(scores.length);
    for (let row = 0; row < order.length; row++) order[row] = row;
    if (order.length < FEW) order.sort((a, b) => scores[a] - scores[b]);
    else radixSort(order, scores);
    const sorted = new Float64Array(order.length);
    for (let at = 0; at < order.length; at++) sorted[at] = scores[order[at]];
    found = { order, sorted };
    rankings.set(scores, found);
  }
  return found;
}

/** Below this the tables of a radix sort cost more than they save; a million rows take it a tenth of the time. */
const FEW = 500;
/** From here on few passes over large tables are faster than more passes over small ones. */
const MANY = 200_000;

/**
 * Sorts rows by the bits of their scores, 11 or 16 at a time from the lowest; signs are turned so that integers ascend.
 * The high halves alone come first: they tell almost all scores apart, and few neighbours are then left to exchange.
 */
function radixSort(order: Int32Array, scores: Float64Array): void {
  const bits = new Uint32Array(scores.map((score) => score + 0).buffer); // -0 is 0
  sortByHalf(order, bits, HIGH);
  if (exchanged(order, scores)) return;
  for (let row = 0; row < order.length; row++) order[row] = row;
  sortByHalf(order, bits, 1 - HIGH);
  sortByHalf(order, bits, HIGH);
}

/** A stable sort by one half of the bits. */
function sortByHalf(order: Int32Array, bits: Uint32Array, half: number): void {
  const n = order.length;
  const positive = half === HIGH ? 0x80000000 : 0;
  const word = new Uint32Array(n);
  for (let row = 0; row < n; row++) {
    word[row] = bits[2 * row + half] ^ (bits[2 * row + HIGH] >>> 31 ? 0xffffffff : positive);
  }
  const bitsAtATime = n < MANY ? 11 : 16;
  const digit = (1 << bitsAtATime) - 1;
  let [from, to]: Int32Array[] = [order, new Int32Array(n)];
  for (let shift = 0; shift < 32; shift += bitsAtATime) {
    const places = new Int32Array(digit + 2);
    for (let row = 0; row < n; row++) places[((word[row] >>> shift) & digit) + 1]++;
    for (let at = 0; at < digit; at++) places[at + 1] += places[at];
    for (let at = 0; at < n; at++) to[places[(word[from[at]] >>> shift) & digit]++] = from[at];
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
}

/** Exchanges neighbours until the scores ascend; false when that takes more than a few exchanges per row. */
function exchanged(order: Int32Array, scores: Float64Array): boolean {
  let left = 2 * order.length;
  for (let at = 1; at < order.length; at++) {
    const row = order[at];
    let to = at;
    for (; to > 0 && scores[order[to - 1]] > scores[row]; to--) order[to] = order[to - 1];
    order[to] = row;
    left -= at - to;
    if (left < 0) return false;
  }
  return true;
}

/** Which half of a double is the high one on this machine. */
const HIGH = new Uint32Array(Float64Array.of(-0).buffer)[1] === 0 ? 0 : 1;

/** Weights of the classes, and of the pairs of a positive and a negative row in which the positive scores higher. */
export interface Concordance {
  readonly positives: number;
  readonly negatives: number;
  /** Ties count half. */
  readonly concordant: number;
}

/** Called for a run of equal scores, with the weights of both classes below it and within it. */
export type AtTie = (
  from: number,
  to: number,
  belowPositive: number,
  belowNegative: number,
  tiedPositive: number,
  tiedNegative: number,
) => void;

/**
 * Counts concordant pairs in one pass over the sorted scores. `atTie`, when given, is called for every run
 * `order[from]` ... `order[to - 1]` of equal scores.
 */
export function concordance(ranked: Ranked, atTie?: AtTie): Concordance {
  const { scores, yTrue, weight, length, positive } = ranked;
  if (ranked.fixed && weight && !atTie) return fixedConcordance({ ...ranked, weight });
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

/** The same sums without a branch on the class, which nobody can foretell: a resample takes a quarter of the time. */
function fixedConcordance({
  scores,
  yTrue,
  weight,
  positive,
}: Ranked & { readonly weight: Float64Array }): Concordance {
  const ranking = rankingOf(scores);
  const { order } = ranking;
  if (ranking.marks?.yTrue !== yTrue || ranking.marks.positive !== positive) {
    ranking.marks = marksOf(ranking, yTrue, positive);
  }
  const { ofPositive, last, inOrder } = ranking.marks;
  const weights = inOrder ? weight : gather(weight, order);
  let positives = 0;
  let negatives = 0;
  let concordant = 0;
  let tiedPositive = 0;
  let tiedNegative = 0;
  for (let at = 0; at < weights.length; at++) {
    const w = weights[at];
    const counted = w * ofPositive[at];
    tiedPositive += counted;
    tiedNegative += w - counted;
    if (last[at] === 1) {
      concordant += tiedPositive * (negatives + tiedNegative / 2);
      positives += tiedPositive;
      negatives += tiedNegative;
      tiedPositive = 0;
      tiedNegative = 0;
    }
  }
  return { positives, negatives, concordant };
}

function marksOf({ order, sorted }: Ranking, yTrue: ArrayLike<number>, positive: number): Marks {
  const [ofPositive, last] = [0, 0].map(() => new Uint8Array(order.length));
  for (let at = 0; at < order.length; at++) {
    ofPositive[at] = Number(yTrue[order[at]] === positive);
    last[at] = Number(sorted[at] !== sorted[at + 1]);
  }
  return { yTrue, positive, ofPositive, last, inOrder: order.every((row, at) => row === at) };
}

export interface RocPlacements {
  readonly auc: number;
  readonly positives: number;
  readonly negatives: number;
  /**
   * For each row the share of the other class that it is ranked correctly against: for a positive row the share of the
   * negatives that score lower, for a negative row the share of the positives that score higher; ties count half. Their
   * weighted means over either class are the area.
   */
  readonly values: Float64Array;
}

/**
 * The placement of every row among the rows of the other class, O(n log n) with ties and weights.
 *
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
