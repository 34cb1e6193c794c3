/** Whether a class follows from a feature: by a threshold, by few intervals, or by its levels. */

import { type ColumnRanks, columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { beyondNoise, beyondPredictor } from './nullModel.js';
import type { Independent, Target } from './targets.js';

/** A feature from which y follows. */
export interface Copy {
  readonly kind: 'monotone' | 'non_monotone';
  /** Rows that do not follow, of `rows` that have a value. */
  readonly errors: number;
  readonly rows: number;
  /** y is no exact function of the feature, but varies little where the feature is nearly the same. */
  readonly close?: true;
}

/** Thresholds between intervals of one class, at most. */
const THRESHOLDS = 4;

/** Features of at most this many values are copies or not: no luck with a threshold is in play. */
const FEW = 3;

/** Rows of a class per unit behind a level, on average at least. */
const PER_LEVEL = 5;

/** Rows that may disagree: 1 % of all, and 5 % of those outside the commonest value of y. */
export const allowedErrors = (rows: number, rare: number): number => Math.floor(Math.min(0.01 * rows, 0.05 * rare));

/**
 * How a class follows from a feature with at most {@link allowedErrors}: from few values, beyond what labels dealt at
 * random would do in `tests` looks; from a continuous feature or many levels, beyond a real predictor of AUC .98.
 */
export function classCopy(
  column: Column,
  { values: y }: Target,
  independent: Independent,
  tests: number,
): Copy | undefined {
  const ranked = columnRanks(column);
  const { order } = ranked;
  const rows = order.length;
  let positives = 0;
  for (let at = 0; at < rows; at++) positives += y[order[at]];
  const rare = Math.min(positives, rows - positives);
  if (rare === 0) return undefined;
  const allowed = allowedErrors(rows, rare);
  const perRow = independent.count / independent.codes.length;
  const units = rows * perRow;
  const share = rare / rows;
  const few = ranked.distinct <= FEW;
  const copy = (kind: Copy['kind'], errors: number): Copy => ({ kind, errors, rows });

  if (changesAtMost(2 * allowed + THRESHOLDS, order, y)) {
    const apart = few ? Infinity : errorsAtGap(column.values, order, y);
    if (apart <= allowed && beyondNoise(units, share, apart * perRow, tests)) return copy('monotone', apart);
    const errors = intervalErrors(column.values, order, y);
    for (let cuts = 1; cuts <= THRESHOLDS; cuts++) {
      if (errors[cuts] > allowed) continue;
      const lost = errors[cuts] * perRow;
      if (few ? beyondNoise(units, share, lost, tests) : beyondPredictor(units, share, lost, cuts)) {
        return copy(cuts === 1 ? 'monotone' : 'non_monotone', errors[cuts]);
      }
    }
  }
  if (few || ranked.distinct > units / PER_LEVEL) return undefined;
  const errors = levelErrors(column.values, ranked, y, independent);
  return errors <= allowed && beyondPredictor(units, share, errors * perRow, 0)
    ? copy('non_monotone', errors)
    : undefined;
}

/** Each interval more and each odd row makes the class change once or twice along the feature. */
function changesAtMost(most: number, order: Int32Array, y: Float64Array): boolean {
  let changes = 0;
  for (let at = 1; at < order.length && changes <= most; at++) if (y[order[at]] !== y[order[at - 1]]) changes++;
  return changes <= most;
}

/** Fewest errors with 0, 1, ... thresholds between intervals that take turns, by dynamic programming over values. */
function intervalErrors(values: Float64Array, order: Int32Array, y: Float64Array): number[] {
  const best = Array.from({ length: THRESHOLDS + 1 }, (_, cuts) => (cuts === 0 ? [0, 0] : [Infinity, Infinity]));
  for (let at = 0; at < order.length; ) {
    const value = values[order[at]];
    const [from, counts] = [at, [0, 0]];
    for (; at < order.length && values[order[at]] === value; at++) counts[y[order[at]]]++;
    const [zeros, ones] = counts;
    for (let cuts = from === 0 ? 0 : THRESHOLDS; cuts >= 0; cuts--) {
      const [zero, one] = best[cuts];
      const [fromZero, fromOne] = cuts > 0 ? best[cuts - 1] : [Infinity, Infinity];
      best[cuts] = [Math.min(zero, fromOne) + ones, Math.min(one, fromZero) + zeros];
    }
  }
  return best.map((sides) => Math.min(...sides));
}

/**
 * Errors of the threshold in the widest gap of a feature whose values lie in two heaps, neither wider than the gap: a
 * copy of two values with some noise. Infinity for any other feature.
 */
function errorsAtGap(values: Float64Array, order: Int32Array, y: Float64Array): number {
  const at = (place: number) => values[order[place]];
  const last = order.length - 1;
  let cut = 1;
  for (let place = 2; place <= last; place++) if (at(place) - at(place - 1) > at(cut) - at(cut - 1)) cut = place;
  const gap = at(cut) - at(cut - 1);
  if (!(at(cut - 1) - at(0) <= gap && at(last) - at(cut) <= gap)) return Infinity;
  let wrong = 0;
  for (let place = 0; place <= last; place++) if (y[order[place]] === Number(place < cut)) wrong++;
  return Math.min(wrong, order.length - wrong);
}

/**
 * Rows whose class is not the commoner one among the other units at their level. A level that no other unit has says
 * nothing, so that ids do not count.
 */
function levelErrors(
  values: Float64Array,
  { order, distinct }: ColumnRanks,
  y: Float64Array,
  { codes, order: byUnit }: Independent,
): number {
  const level = new Int32Array(values.length).fill(-1);
  let next = -1;
  order.forEach((row, at) => {
    if (at === 0 || values[row] !== values[order[at - 1]]) next++;
    level[row] = next;
  });
  // Units with rows at a level and of a class; the last unit seen there.
  const counts = new Int32Array(2 * distinct);
  const seen = new Int32Array(2 * distinct).fill(-1);
  for (const row of byUnit) {
    const cell = 2 * level[row] + y[row];
    if (cell < 0 || seen[cell] === codes[row]) continue;
    seen[cell] = codes[row];
    counts[cell]++;
  }
  seen.fill(-1);
  let errors = 0;
  for (let from = 0, to = 0; from < byUnit.length; from = to) {
    const unit = codes[byUnit[from]];
    for (; to < byUnit.length && codes[byUnit[to]] === unit; to++) {
      const cell = 2 * level[byUnit[to]] + y[byUnit[to]];
      if (cell >= 0) seen[cell] = unit;
    }
    for (let at = from; at < to; at++) {
      const first = 2 * level[byUnit[at]];
      if (first < 0) continue;
      const own = y[byUnit[at]];
      const others = (side: number) => counts[first + side] - Number(seen[first + side] === unit);
      if (others(own) <= others(1 - own)) errors++;
    }
  }
  return errors;
}
