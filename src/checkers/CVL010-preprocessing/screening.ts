/** A look at few rows that rules most preparations out before any of them is made again in full. */
import type { Column } from '../features/columns.js';
import { OrthonormalBasis } from '../features/orthonormalBasis.js';
import { type Chain, sightsOf } from './chains.js';
import { columnStep, toleranceOf } from './columnSteps.js';
import { BOX_COX, leastAt, type PowerFamily, YEO_JOHNSON } from './curves.js';
import { learnedFrom, type Step } from './learned.js';
import { SELECTIONS } from './selection.js';
import { subsetsOf } from './subsetsOf.js';
import type { StepShape, Task } from './task.js';

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
  const { before, after, train, all, rounding } = task;
  const count = Math.min(task.rows.length, before.length + 1 + ROWS);
  const rows = Array.from({ length: count }, (_, at) => task.rows[Math.floor((at * task.rows.length) / count)]);
  const largest = after.map(({ values }) => {
    let most = 0;
    for (const row of task.rows) most = Math.max(most, Math.abs(values[row]) || 0);
    return most || 1;
  });
  const learned = learnedFrom(task);
  const spans = new Map<string, boolean>();
  const lines = new Map<string, boolean>();
  const repeating = new Map<number, boolean>();
  let columnwise: boolean | undefined;

  return ({ steps }) => {
    const columnSteps = steps.filter((step) => columnStep(step));
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
      // Any column may have been left out of any step.
      return after.every((_, at) => subsetsOf(version).some((part) => isLike(at, at, part)));
    });
  };

  function isLike(at: number, from: number, steps: readonly Step[]): boolean {
    const [made, found]: (Column | undefined)[] = [before[from], after[at]];
    if (!made || learned.kindAfter(from, steps) !== found.kind) return false;
    if (
      has(steps, 'target')
        ? !repeats(from)
        : has(steps, 'curve')
          ? !onACurve(at, from, steps)
          : !onALine(at, from, steps)
    )
      return false;
    const most =
      rounding[at] +
      2 *
        toleranceOf(
          steps.map(({ name }) => name),
          same,
        ) *
        largest[at];
    const change = learned.change(from, steps);
    return rows.every((row) => {
      const [x, y] = [change(made.values[row], row), found.values[row]];
      return x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= most;
    });
  }

  /** A look at whether components are a projection of the columns after the steps; worked out once. */
  function isProjection(steps: readonly Step[]): boolean {
    if (count < before.length + 1 + ROWS) return true;
    const key = steps.map(({ name, all }) => `${name} ${all}`).join();
    let found = spans.get(key);
    if (found === undefined) {
      const most = AFFINE * Math.max(...largest) + 2 * Math.max(...rounding);
      const span = new OrthonormalBasis([new Float64Array(count).fill(1)]);
      before.forEach(({ values }, at) => {
        const change = learned.change(at, steps);
        span.add(Float64Array.from(rows, (row) => change(values[row], row)));
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

  /** Some value of the column is there twice or more, in half of the rows at least, so that it may be a level. */
  function repeats(from: number): boolean {
    const { kind, values } = before[from];
    if (kind === 'category') return true;
    const found = repeating.get(from) ?? 2 * new Set(values).size <= values.length;
    repeating.set(from, found);
    return found;
  }

  /**
   * Where a column has a value, all steps but curves and those on text leave a straight line through its values, or
   * through what a fixed curve makes of them.
   */
  function onALine(at: number, from: number, steps: readonly Step[] = []): boolean {
    const shapes = steps.map(shapeOf);
    // Scaled before the curve, the values are not known without learning.
    if (shapes.includes('line') && shapes.indexOf('line') < shapes.lastIndexOf('fixed')) return true;
    const curves = steps.filter((_, at) => shapes[at] === 'fixed');
    const key = `${at} ${from} ${curves.map(({ name }) => name)}`;
    let found = lines.get(key);
    if (found === undefined) {
      const bend = learned.change(from, curves);
      const points = rows
        .map((row) => ({ x: bend(before[from].values[row], row), y: after[at].values[row] }))
        .filter(({ x }) => !Number.isNaN(x));
      const [low, high] = [-1, 1].map((sign) => points.reduce((a, b) => (sign * b.x > sign * a.x ? b : a), points[0]));
      const slope = points.length > 0 ? (high.y - low.y) / (high.x - low.x) : Number.NaN;
      found =
        before[from].kind === 'category' ||
        !Number.isFinite(slope) ||
        points.every(
          ({ x, y }) => Math.abs(low.y + slope * (x - low.x) - y) <= AFFINE * largest[at] + 2 * rounding[at],
        );
      lines.set(key, found);
    }
    return found;
  }

  /** Curves keep the order of the values, and none of them is a line; a power is one that some power makes a line. */
  function onACurve(at: number, from: number, steps: readonly Step[]): boolean {
    const [x, y] = [before[from].values, after[at].values];
    const present = rows.filter((row) => !Number.isNaN(x[row])).sort((a, b) => x[a] - x[b]);
    if (present.length >= LEAST_ROWS && onALine(at, from)) return false;
    if (present.some((row, i) => i > 0 && y[row] < y[present[i - 1]] - AFFINE * largest[at] - 2 * rounding[at]))
      return false;
    const family = POWERS[steps[0].name];
    if (!family || present.length < LEAST_ROWS) return true;
    const bend = (power: number) =>
      bentBy(
        Float64Array.from(present, (row) => family.at(x[row], power)),
        Float64Array.from(present, (row) => y[row]),
      );
    return bend(leastAt(bend)) <= AFFINE + (2 * rounding[at]) / largest[at];
  }

  /** Components that were fitted to rows have a mean of 0 there; rows that are not compared may be anything. */
  function isCentred(fitted: Int32Array): boolean {
    if (fitted.length > task.rows.length) return true;
    const most = 2 * same * Math.max(...largest) + Math.max(...rounding);
    return after.every(({ values }) => {
      let mean = 0;
      for (const row of fitted) mean += values[row] / fitted.length;
      return Math.abs(mean) <= most;
    });
  }
}

const POWERS: Readonly<Record<string, PowerFamily>> = { boxcox: BOX_COX, yeojohnson: YEO_JOHNSON };

const shapeOf = ({ name }: Step) => columnStep(name)?.shape;
const has = (steps: readonly Step[], shape: StepShape) => steps.some((step) => shapeOf(step) === shape);

/** How far y is from the straight line between its ends over x, as a share of its largest value; 1 where there is none. */
function bentBy(x: Float64Array, y: Float64Array): number {
  const last = x.length - 1;
  const slope = (y[last] - y[0]) / (x[last] - x[0]);
  if (!Number.isFinite(slope)) return 1;
  let [most, size] = [0, 0];
  for (let at = 0; at <= last; at++) {
    most = Math.max(most, Math.abs(y[0] + slope * (x[at] - x[0]) - y[at]));
    size = Math.max(size, Math.abs(y[at]));
  }
  return size > 0 ? most / size : 0;
}

/**
 * The steps that make a difference to what a projection of the columns can give: scaling does none, neither after the last
 * imputing nor before it, but where that fills in a constant.
 */
function filling(version: readonly Step[]): readonly Step[] {
  const fills = ({ name }: Step) => columnStep(name)?.shape !== 'line';
  const constant = version.some(({ name }) => name === 'impute:constant');
  return version.slice(0, version.findLastIndex(fills) + 1).filter((step) => constant || fills(step));
}
