/** Whether a class follows from a feature: by a threshold, by few intervals, or by its levels. */
import { incompleteBeta } from '../../core/incompleteBeta.js';
import { lowerBound } from '../../core/lowerBound.js';
import { sum } from '../../core/numbers.js';
import { type ClassColumn, classPlaces } from './classColumn.js';
import { REVIEW_CHANCE, type Target } from './targets.js';

export interface Copy {
  readonly kind: 'monotone' | 'non_monotone' | 'level';
  readonly errors: number;
  readonly rows: number;
  /** y is no exact function of the feature, but varies little where the feature is nearly the same. */
  readonly close?: true;
  /** More rows disagree than {@link allowedErrors}, but fewer than any real predictor would get wrong: to be looked at. */
  readonly flawed?: true;
}

const THRESHOLDS = 4;

/** Features of at most this many values are copies or not: no luck with a threshold is in play. */
const FEW = 3;

/** Units at a level, on average of many; the class of one is foretold by the others, of which fewer say nothing. */
export const LEAST_AT_LEVEL = 5;

/** Rows that may disagree: 1 % of all, and 5 % of those outside the commonest value of y. */
const allowedErrors = (rows: number, rare: number): number => Math.floor(Math.min(0.01 * rows, 0.05 * rare));

/** Rows that may disagree in a copy with errors, as by mistyping: 4 %, and three of ten outside the commonest value of y. */
const flawedErrors = (rows: number, rare: number): number => Math.floor(Math.min(0.04 * rows, 0.3 * rare));

/**
 * Few values follow beyond what labels dealt at random would do in `nTests` tests; a continuous feature or many levels
 * with a kappa surely above {@link KAPPA}. With up to {@link flawedErrors} two heaps, few values and levels follow,
 * flawed.
 */
export function classCopy(column: ClassColumn, target: Target, nTests: number): Copy | undefined {
  const { independent, gapAt } = column;
  const places = classPlaces(column, target);
  const rows = column.order.length;
  const distinct = column.starts.length - 1;
  const rare = Math.min(places.length, rows - places.length);
  if (rare === 0) return undefined;
  const [allowed, most] = [allowedErrors(rows, rare), flawedErrors(rows, rare)];
  const perRow = independent.count / independent.codes.length;
  const units = rows * perRow;
  const share = rare / rows;
  const few = distinct <= FEW;
  const copy = (kind: Copy['kind'], errors: number): Copy => ({ kind, errors, rows });
  let flawed: Copy | undefined;
  const mayBeFlawed = (kind: Copy['kind'], errors: number) => {
    if (flawed || errors > most) return;
    // In a table of few rows one wrong row is 1 % or more.
    const isOne = few && errors <= 1 && beyondNoise(units, share, errors * perRow, nTests);
    if (!isOne && !agreesBeyond(units, share, errors * perRow, 0, REVIEW_CHANCE)) return;
    flawed = { ...copy(kind, errors), flawed: true };
  };

  if (changesOf(places, rows) <= 2 * (few || gapAt !== undefined ? most : allowed) + THRESHOLDS) {
    const errorsAcrossGap = few ? Infinity : errorsAtGap(column, places);
    if (errorsAcrossGap <= allowed && beyondNoise(units, share, errorsAcrossGap * perRow, nTests)) {
      return copy('monotone', errorsAcrossGap);
    }
    mayBeFlawed('monotone', errorsAcrossGap);
    const errors = intervalErrors(column, places);
    for (let cuts = 1; cuts <= THRESHOLDS; cuts++) {
      if (few) mayBeFlawed(cuts === 1 ? 'monotone' : 'non_monotone', errors[cuts]);
      if (errors[cuts] > allowed) continue;
      const lost = errors[cuts] * perRow;
      if (few ? beyondNoise(units, share, lost, nTests) : agreesBeyond(units, share, lost, cuts)) {
        return copy(cuts === 1 ? 'monotone' : 'non_monotone', errors[cuts]);
      }
    }
  }
  if (few || distinct > units / LEAST_AT_LEVEL) return flawed;
  const errors = levelErrors(column, places);
  if (errors > most) return flawed;
  const isThreshold = column.kind === 'number' && intervalErrors(column, places)[1] <= errors;
  const kind = isThreshold ? 'monotone' : 'level';
  if (errors <= allowed && agreesBeyond(units, share, errors * perRow, 0)) return copy(kind, errors);
  mayBeFlawed(kind, errors);
  return flawed;
}

function changesOf(places: Int32Array, rows: number): number {
  let runs = 0;
  for (let at = 0; at < places.length; at++) if (at === 0 || places[at] !== places[at - 1] + 1) runs++;
  return 2 * runs - Number(places[0] === 0) - Number(places[places.length - 1] === rows - 1);
}

/** Fewest errors with 0, 1, ... thresholds between intervals that take turns, by dynamic programming over values. */
function intervalErrors({ level, starts, order }: ClassColumn, places: Int32Array): number[] {
  const best = Array.from({ length: THRESHOLDS + 1 }, (_, cuts) => (cuts === 0 ? [0, 0] : [Infinity, Infinity]));
  let done = 0;
  const add = (zeros: number, ones: number) => {
    for (let cuts = done === 0 ? 0 : THRESHOLDS; cuts >= 0; cuts--) {
      const [zero, one] = best[cuts];
      const [fromZero, fromOne] = cuts > 0 ? best[cuts - 1] : [Infinity, Infinity];
      best[cuts] = [Math.min(zero, fromOne) + ones, Math.min(one, fromZero) + zeros];
    }
    done += zeros + ones;
  };
  for (let from = 0, to = 0; from < places.length; from = to) {
    const here = level[places[from]];
    while (to < places.length && level[places[to]] === here) to++;
    if (starts[here] > done) add(starts[here] - done, 0);
    add(starts[here + 1] - starts[here] - (to - from), to - from);
  }
  if (order.length > done) add(order.length - done, 0);
  return best.map((sides) => Math.min(...sides));
}

/** Errors of the threshold in the widest gap between two heaps: a copy of two values with some noise. Else Infinity. */
function errorsAtGap({ gapAt, order }: ClassColumn, places: Int32Array): number {
  if (gapAt === undefined) return Infinity;
  const below = lowerBound(places, gapAt);
  const wrong = below + (order.length - gapAt) - (places.length - below);
  return Math.min(wrong, order.length - wrong);
}

/**
 * Rows whose class is not the commoner one among the other units at their level; a level of one unit alone says
 * nothing.
 */
function levelErrors(column: ClassColumn, places: Int32Array): number {
  const { order, level, starts } = column;
  const { of, rows, units, lone } = column.cells();
  let errors = lone;
  for (let from = 0, to = 0; from < places.length; from = to) {
    const here = level[places[from]];
    const inClass = new Map<number, number>();
    for (; to < places.length && level[places[to]] === here; to++) {
      const cell = of[order[places[to]]];
      inClass.set(cell, (inClass.get(cell) ?? 0) + 1);
    }
    const size = starts[here + 1] - starts[here];
    const cells = Array.from(inClass, ([cell, count]) => ({ all: rows[cell], count }));
    const [ones, zeros] = [cells.length, units[here] - cells.filter(({ all, count }) => all === count).length];
    if (units[here] === 1) errors -= size;
    for (const { all, count } of cells) {
      if (ones - 1 <= zeros - Number(all > count)) errors += count;
      if (zeros - 1 <= ones - 1) errors += all - count;
    }
    if (zeros - 1 <= ones) errors += size - sum(cells.map(({ all }) => all));
  }
  return errors;
}

const CHANCE = 0.001;

/** Agreement with y that a copy must exceed: the best threshold of a predictor of AUC .98 (two normal classes) has this kappa. */
const KAPPA = 0.85;

/**
 * Whether the lower bound of Cohen's kappa with y lies above {@link KAPPA}: the exact upper bound of the errors against
 * those of chance. A threshold is chosen where it errs least, which saves about one row each: they are added.
 * Source: Clopper & Pearson 1934, Biometrika 26:404; Cohen 1960, Educational and Psychological Measurement 20:37.
 */
function agreesBeyond(units: number, share: number, errors: number, thresholds: number, chance = CHANCE): boolean {
  const most = errors + thresholds;
  const error = (1 - KAPPA) * 2 * share * (1 - share);
  return most < units && incompleteBeta(1 - error, units - most, most + 1) < chance;
}

export function unitsForCopy(share: number): number {
  let units = 2;
  while (!agreesBeyond(units, share, 0, 1)) units++;
  return units;
}

/**
 * Whether labels dealt out at random would hardly fall together with few values, up to `errors`, in any of `nTests`
 * tests: there are C(units, units in the rarer class) ways to deal them (Stirling).
 */
export function beyondNoise(units: number, share: number, errors: number, nTests: number): boolean {
  const spread = share * (1 - share);
  const entropy = -share * Math.log(share) - (1 - share) * Math.log(1 - share);
  const ways = units * entropy - Math.log(2 * Math.PI * units * spread) / 2;
  return errors * Math.log(units) - ways + Math.log(2 * nTests) < Math.log(CHANCE);
}
