/** A look at few rows that rules most preparations out before any of them is made again in full. */
import type { Column } from '../features/columns.js';
import { OrthonormalBasis } from '../features/orthonormalBasis.js';
import { type Chain, sightsOf } from './chains.js';
import { COLUMN_STEPS } from './columnSteps.js';
import { learnedFrom, type Step } from './learned.js';
import { SELECTIONS } from './selection.js';
import type { Task } from './task.js';

/** Rows that are looked at, beyond those that a projection of the columns can always fit. */
const ROWS = 16;

/** So many values on a straight line are no chance. */
const LEAST_ROWS = 8;

/** How far components may be from a projection of the columns: far more than rounding errors, far less than others. */
const AFFINE = 1e-4;

/**
 * Says of a chain which versions of it, by the steps that saw all rows, could be the processed data within `same`. What it
 * rules out cannot be: one value of a column alone differs, or components are not centred, or no projection of the columns.
 */
export function screening(task: Task, same: number): (chain: Chain) => string[][] {
  const { before, after, train, all } = task;
  const count = Math.min(task.rows.length, before.length + 1 + ROWS);
  const rows = Array.from({ length: count }, (_, at) => task.rows[Math.floor((at * task.rows.length) / count)]);
  const largest = after.map(({ values }) => {
    let most = 0;
    for (const row of task.rows) most = Math.max(most, Math.abs(values[row]) || 0);
    return most || 1;
  });
  const learned = learnedFrom(task);
  const spans = new Map<string, boolean>();
  const lines = new Map<number, boolean>();
  let columnwise: boolean | undefined;

  return ({ steps }) => {
    const columnSteps = steps.filter((step) => step in COLUMN_STEPS);
    const selects = steps.some((step) => SELECTIONS.includes(step));
    const projects = steps.includes('pca');
    if (projects && !selects) {
      columnwise ??= columnByColumn();
      if (columnwise) return [];
    }
    return sightsOf(steps).filter((seen) => {
      if (selects && projects) return true;
      const version = columnSteps.map((name) => ({ name, all: seen.includes(name) }));
      if (projects) return isCentred(seen.includes('pca') ? all : train) && isProjection(filling(version));
      if (selects) return after.every((_, at) => before.some((_, from) => isLike(at, from, version)));
      return after.every((_, at) => (steps.length > 0 && isLike(at, at, [])) || isLike(at, at, version));
    });
  };

  function isLike(at: number, from: number, steps: readonly Step[]): boolean {
    const [made, found]: (Column | undefined)[] = [before[from], after[at]];
    if (made?.kind !== found.kind || !onALine(at, from)) return false;
    const change = learned.change(from, steps);
    return rows.every((row) => {
      const [x, y] = [change(made.values[row]), found.values[row]];
      return x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= 2 * same * largest[at];
    });
  }

  /** A look at whether components are a projection of the columns after the steps; worked out once. */
  function isProjection(steps: readonly Step[]): boolean {
    if (count < before.length + 1 + ROWS) return true;
    const key = steps.map(({ name, all }) => `${name} ${all}`).join();
    let found = spans.get(key);
    if (found === undefined) {
      const most = AFFINE * Math.max(...largest);
      const span = new OrthonormalBasis([new Float64Array(count).fill(1)]);
      before.forEach(({ values }, at) => {
        const change = learned.change(at, steps);
        span.add(Float64Array.from(rows, (row) => change(values[row])));
      });
      found = after.every(({ values }) =>
        span.rest(Float64Array.from(rows, (row) => values[row])).every((value) => Math.abs(value) <= most),
      );
      spans.set(key, found);
    }
    return found;
  }

  /** Each column goes with the one at its place: no components, of which each goes with all columns. */
  function columnByColumn(): boolean {
    const known = (at: number) => rows.filter((row) => !Number.isNaN(before[at].values[row])).length;
    return before.length > 1 && after.every((_, at) => known(at) >= LEAST_ROWS && onALine(at, at));
  }

  /** Where a column has a value, all steps but those on text leave a straight line through its values. */
  function onALine(at: number, from: number): boolean {
    const key = at * before.length + from;
    let found = lines.get(key);
    if (found === undefined) {
      const [x, y] = [before[from].values, after[at].values];
      const present = rows.filter((row) => !Number.isNaN(x[row]));
      const [low, high] = [-1, 1].map((sign) =>
        present.reduce((a, b) => (sign * x[b] > sign * x[a] ? b : a), present[0]),
      );
      const slope = (y[high] - y[low]) / (x[high] - x[low]);
      found =
        before[from].kind === 'category' ||
        !Number.isFinite(slope) ||
        present.every((row) => Math.abs(y[low] + slope * (x[row] - x[low]) - y[row]) <= AFFINE * largest[at]);
      lines.set(key, found);
    }
    return found;
  }

  /** Components that were fitted to rows have a mean of 0 there; rows that are not compared may be anything. */
  function isCentred(fitted: Int32Array): boolean {
    if (fitted.length > task.rows.length) return true;
    const most = 2 * same * Math.max(...largest);
    return after.every(({ values }) => {
      let mean = 0;
      for (const row of fitted) mean += values[row] / fitted.length;
      return Math.abs(mean) <= most;
    });
  }
}

/**
 * The steps that make a difference to what a projection of the columns can give: scaling does none, neither after the last
 * imputing nor before it, but where that fills in a constant.
 */
function filling(version: readonly Step[]): readonly Step[] {
  const fills = ({ name }: Step) => name.startsWith('impute');
  const constant = version.some(({ name }) => name === 'impute:constant');
  return version.slice(0, version.findLastIndex(fills) + 1).filter((step) => constant || fills(step));
}
