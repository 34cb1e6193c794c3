/** Whether a number follows from a feature: always rising or falling, or along a curve of few turns. */

import { lowerBound } from '../../core/lowerBound.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { allowedErrors, type Copy } from './classCopies.js';
import type { Independent, Target } from './targets.js';

/** Fewer units than this say nothing of a curve; Chatterjee's coefficient needs more. */
export const LEAST = { curve: 30, xi: 50 };

/** Turns of a curve, at most. */
const TURNS = 4;

/** Chatterjee's coefficient from which y is taken for a function of the feature; normal data reach it at r = .9997. */
const XI = 0.975;

/**
 * Rows that may be out of order in a copy with errors, as where values were mistyped or replaced: 10 %, and three of ten outside the
 * commonest value of y. No real predictor has nine of ten rows in one order.
 */
const flawedErrors = (rows: number, rare: number) => Math.floor(Math.min(0.1 * rows, 0.3 * rare));

/** How numbers follow from a feature with at most {@link allowedErrors}, or always rise or fall up to {@link flawedErrors}. */
export function curveCopy(column: Column, { values: y, ranks }: Target, independent: Independent): Copy | undefined {
  const { order } = columnRanks(column);
  const rows = order.length;
  const units = (rows * independent.count) / independent.codes.length;
  if (units < LEAST.curve) return undefined;
  const path = pathOf(column.values, order, y);
  const [rises, falls] = [1, -1].map((sign) => movesOf(path.y, sign));
  const turning = rises.turns <= TURNS + 2 * allowedErrors(rises.steps, rises.steps);
  const close = units >= LEAST.xi && xi(path.rows, ranks, independent.codes) >= XI;
  const most = flawedErrors(rows, rows);
  if (!turning && !close && Math.min(rises.against, falls.against) > 2 * most) return undefined;
  const rare = rows - path.impure - commonest(path.y);
  const [allowed, tolerated] = [allowedErrors(rows, rare), flawedErrors(rows, rare)];
  let flawed: Copy | undefined;
  for (const [sign, { against }] of [[1, rises] as const, [-1, falls] as const]) {
    const errors = against > 2 * tolerated ? Infinity : rows - longestRise(path.y, sign);
    if (errors <= allowed) return { kind: 'monotone', errors, rows };
    if (errors <= tolerated) flawed = { kind: 'monotone', errors, rows, flawed: true };
  }
  if (path.impure > allowed) return flawed;
  const copy = { kind: 'non_monotone', errors: path.impure, rows } as const;
  if (turning && rises.steps >= LEAST.curve) return copy;
  return close ? { ...copy, close } : flawed;
}

/** y along the feature: where the feature is tied, the rows of its commonest value alone, and how many rows are not. */
function pathOf(values: Float64Array, order: Int32Array, y: Float64Array) {
  const path = new Float64Array(order.length);
  const rows: number[] = [];
  let length = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    const tied = to - from === 1 ? undefined : order.slice(from, to);
    const { value, count } = tied ? modeOf(gather(y, tied).sort()) : { value: y[order[from]], count: 1 };
    path.fill(value, length, length + count);
    length += count;
    rows.push(tied?.find((row) => y[row] === value) ?? order[from]);
  }
  return { y: path.subarray(0, length), rows, impure: order.length - length };
}

const commonest = (values: Float64Array) => modeOf(values.slice().sort()).count;

/** The least of the commonest values. */
function modeOf(sorted: Float64Array) {
  let mode = { value: sorted[0], count: 0 };
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    if (to - from > mode.count) mode = { value: sorted[from], count: to - from };
  }
  return mode;
}

/** How often the path moves at all, moves against the sign, and turns. */
function movesOf(path: Float64Array, sign: number) {
  let [steps, against, turns, last] = [0, 0, 0, 0];
  for (let at = 1; at < path.length; at++) {
    const move = Math.sign(path[at] - path[at - 1]);
    if (move === 0) continue;
    steps++;
    if (move === -sign) against++;
    if (move === -last) turns++;
    last = move;
  }
  return { steps, against, turns };
}

/**
 * Length of the longest subsequence that never falls: the least last value of each length, ascending.
 *
 * Source: Fredman 1975, Discrete Mathematics 11:29.
 */
function longestRise(path: Float64Array, sign: number): number {
  const lasts: number[] = [];
  for (const each of path) {
    const value = sign * each;
    if (lasts.length === 0 || value >= lasts[lasts.length - 1]) lasts.push(value);
    else {
      let at = lowerBound(lasts, value);
      while (lasts[at] === value) at++;
      lasts[at] = value;
    }
  }
  return lasts.length;
}

/**
 * Chatterjee's coefficient of y along the feature, 1 for a function and 0 for independence: 1 less the mean step between
 * neighbours over that of independent rows. Neighbours of one unit say nothing and are left out; the largest value at
 * n, (n - 2) / (n + 1), is made 1.
 *
 * Source: Chatterjee 2021, Journal of the American Statistical Association 116:2009.
 */
export function xi(rows: readonly number[], ranks: Float64Array, codes: Int32Array): number {
  const n = ranks.length;
  let [sum, steps] = [0, 0];
  for (let at = 1; at < rows.length; at++) {
    if (codes[rows[at]] === codes[rows[at - 1]]) continue;
    sum += Math.abs(ranks[rows[at]] - ranks[rows[at - 1]]);
    steps++;
  }
  if (steps < LEAST.xi - 1) return 0;
  const raw = 1 - (3 * sum) / steps / (n + 1);
  return (raw * (steps + 2)) / (steps - 1);
}
