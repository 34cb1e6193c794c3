import { gather, isAscending, rowNumbers } from '../data/labels.js';
import { type Undefined, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** A binary table with scores; they need not be probabilities. */
export type Ranked = Pick<ScoreTable, 'length' | 'positive' | 'yTrue' | 'weight'> & {
  readonly scores: Float64Array;
};

interface Ranking {
  readonly order: Int32Array;
  /** 1 for the last of equal scores. A score that is no number equals nothing, not even itself. */
  readonly last: Uint8Array;
  /** The rows themselves ascend. */
  readonly inOrder: boolean;
  /** Of the labels that were ranked last. */
  labels?: RankedLabels;
}

interface RankedLabels extends Pick<ScoreTable, 'yTrue' | 'positive'> {
  readonly ofPositive: Uint8Array;
}

/** Resampled tables share their scores: they are sorted once. */
const rankings = new WeakMap<Float64Array, Ranking>();

/** Rows by ascending score, rows of equal scores in their own order. */
export const ascendingOrder = (scores: Float64Array): Int32Array => rankingOf(scores).order;

function rankingOf(scores: Float64Array): Ranking {
  let found = rankings.get(scores);
  if (!found) {
    const order = sortedRows(scores);
    const last = new Uint8Array(order.length).fill(1);
    for (let at = 1; at < order.length; at++) last[at - 1] = Number(scores[order[at - 1]] !== scores[order[at]]);
    found = { order, last, inOrder: isAscending(order) };
    rankings.set(scores, found);
  }
  return found;
}

/** 1 for a positive row, by ascending score. */
export function rankedLabels({ scores, yTrue, positive }: Pick<Ranked, 'scores' | 'yTrue' | 'positive'>): Uint8Array {
  const ranking = rankingOf(scores);
  const { order, labels } = ranking;
  if (labels?.yTrue === yTrue && labels.positive === positive) return labels.ofPositive;
  const ofPositive = new Uint8Array(order.length);
  for (let at = 0; at < order.length; at++) ofPositive[at] = Number(yTrue[order[at]] === positive);
  ranking.labels = { yTrue, positive, ofPositive };
  return ofPositive;
}

/** Below this a radix sort costs more than it saves; a million rows take it a tenth of the time. */
const FEW = 200;
/** Few passes over large tables are faster for many rows. */
const bitsFor = (rows: number) => (rows < 1000 ? 8 : rows < 200_000 ? 11 : 16);

/** {@link ascendingOrder}, sorted anew and not kept. No score may be NaN. */
export function sortedRows(scores: Float64Array): Int32Array {
  const order = rowNumbers(scores.length);
  if (order.length < FEW) order.sort((a, b) => scores[a] - scores[b]);
  else radixSort(order, scores);
  return order;
}

/**
 * Sorts rows by the bits of their scores from the lowest up; signs are turned so that integers ascend. The high halves
 * alone come first: they separate almost all scores, and few neighbours then change places.
 */
function radixSort(order: Int32Array, scores: Float64Array): void {
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, 2 * scores.length);
  const spare = { word: new Uint32Array(order.length), to: new Int32Array(order.length) };
  sortByHalf(order, bits, HIGH, spare);
  if (exchanged(order, scores)) return;
  for (let row = 0; row < order.length; row++) order[row] = row;
  sortByHalf(order, bits, 1 - HIGH, spare);
  sortByHalf(order, bits, HIGH, spare);
}

interface Spare {
  readonly word: Uint32Array;
  readonly to: Int32Array;
}

/** A stable sort by one half of the bits. */
function sortByHalf(order: Int32Array, bits: Uint32Array, half: number, spare: Spare): void {
  const n = order.length;
  const { word } = spare;
  for (let row = 0; row < n; row++) {
    const high = bits[2 * row + HIGH];
    const negative = high >>> 31 === 1 && (high !== MINUS_ZERO || bits[2 * row + 1 - HIGH] !== 0);
    if (negative) word[row] = ~bits[2 * row + half];
    else word[row] = half === HIGH ? high | MINUS_ZERO : bits[2 * row + half];
  }
  const bitsAtATime = bitsFor(n);
  const digit = (1 << bitsAtATime) - 1;
  const places = new Int32Array(digit + 2);
  let [from, to] = [order, spare.to];
  for (let shift = 0; shift < 32; shift += bitsAtATime) {
    places.fill(0);
    for (let row = 0; row < n; row++) places[((word[row] >>> shift) & digit) + 1]++;
    for (let at = 0; at < digit; at++) places[at + 1] += places[at];
    for (let at = 0; at < n; at++) to[places[(word[from[at]] >>> shift) & digit]++] = from[at];
    [from, to] = [to, from];
  }
  if (from !== order) order.set(from);
}

/** False when that takes more than a few exchanges per row. */
function exchanged(order: Int32Array, scores: Float64Array): boolean {
  let remaining = 2 * order.length;
  let highest = scores[order[0]];
  for (let at = 1; at < order.length; at++) {
    const row = order[at];
    const score = scores[row];
    if (score >= highest) {
      highest = score;
      continue;
    }
    let to = at;
    for (; to > 0 && scores[order[to - 1]] > score; to--) order[to] = order[to - 1];
    order[to] = row;
    remaining -= at - to;
    if (remaining < 0) return false;
  }
  return true;
}

/** The high half of -0, which is sorted as 0. */
const MINUS_ZERO = 0x80000000;
/** Which half of a double is the high one on this machine. */
const HIGH = new Uint32Array(Float64Array.of(-0).buffer)[1] === 0 ? 0 : 1;

/** Weights of the classes, and of the pairs of a positive and a negative row in which the positive scores higher. */
export interface Concordance {
  readonly positives: number;
  readonly negatives: number;
  /** Ties count half. */
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
 * Without an unpredictable branch on the class: that would take several times as long.
 */
export function concordance({ scores, yTrue, weight, positive }: Ranked, atTie?: AtTie): Concordance {
  const { order, last, inOrder } = rankingOf(scores);
  const ofPositive = rankedLabels({ scores, yTrue, positive });
  const weights = weight && !inOrder ? gather(weight, order) : weight;
  let [positives, negatives, concordant, tiedPositive, tiedNegative, from] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < order.length; at++) {
    const w = weights ? weights[at] : 1;
    const counted = w * ofPositive[at];
    tiedPositive += counted;
    tiedNegative += w - counted;
    if (last[at] === 1) {
      atTie?.(from, at + 1, positives, negatives, tiedPositive, tiedNegative);
      concordant += tiedPositive * (negatives + tiedNegative / 2);
      positives += tiedPositive;
      negatives += tiedNegative;
      tiedPositive = 0;
      tiedNegative = 0;
      from = at + 1;
    }
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
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; the fast form, Sun & Xu 2014, IEEE SPL 21:1389.
 */
export function rocPlacements(ranked: Ranked): RocPlacements | Undefined {
  const { yTrue, positive, scores, length } = ranked;
  const order = ascendingOrder(scores);
  const ofPositive = rankedLabels(ranked);
  const values = new Float64Array(length);
  const { positives, negatives, concordant } = concordance(
    ranked,
    (from, to, belowPositive, belowNegative, tiedPositive, tiedNegative) => {
      for (let at = from; at < to; at++) {
        values[order[at]] = ofPositive[at] ? belowNegative + tiedNegative / 2 : belowPositive + tiedPositive / 2;
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
