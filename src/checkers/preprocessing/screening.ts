/** A look at few rows that rules most preparations out before any of them is made again in full. */
import type { Column } from '../features.js';
import type { Chain } from './chains.js';
import { COLUMN_STEPS } from './columnSteps.js';
import { SELECTIONS } from './selection.js';
import type { Task } from './versions.js';

/** Rows that are looked at, beyond those that a projection of the columns can always fit. */
const ROWS = 16;

/** So many values on a straight line are no chance. */
const LEAST_ROWS = 8;

/** How far components may be from a projection of the columns: far more than rounding errors, far less than others. */
const AFFINE = 1e-4;

/** A step on each column, fitted to all rows or to the training rows. */
interface Step {
  readonly name: string;
  readonly all: boolean;
}

type Change = (value: number) => number;

/**
 * Says of a chain whether some version of it could be the processed data within `same`. What it rules out cannot be: one
 * value of a column alone differs, or components are not centred, or no projection of the columns.
 */
export function screening(task: Task, same: number): (chain: Chain) => boolean {
  const { before, after, train, all } = task;
  const count = Math.min(task.rows.length, before.length + 1 + ROWS);
  const rows = Array.from({ length: count }, (_, at) => task.rows[Math.floor((at * task.rows.length) / count)]);
  const largest = after.map(({ values }) => {
    let most = 0;
    for (const row of task.rows) most = Math.max(most, Math.abs(values[row]) || 0);
    return most || 1;
  });
  const changes = remembered((at: number, steps: readonly Step[]): Change => {
    const step = steps.at(-1);
    if (!step) return (value) => value;
    const earlier = changes(at, steps.slice(0, -1));
    const { learn, text } = COLUMN_STEPS[step.name];
    const { kind, values } = before[at];
    if (kind === 'category' && !text) return earlier;
    const known = Float64Array.from(step.all ? all : train, (row) => earlier(values[row]));
    const change = learn(known.filter((value) => !Number.isNaN(value)));
    return (value) => change(earlier(value));
  });
  const affine = remembered((_: number, steps: readonly Step[]) => {
    const ones = new Float64Array(count).fill(1);
    const columns = before.map(({ values }, at) => Float64Array.from(rows, (row) => changes(at, steps)(values[row])));
    const components = after.map(({ values }) => Float64Array.from(rows, (row) => values[row]));
    return (
      count < before.length + 1 + ROWS || isProjection([ones, ...columns], components, AFFINE * Math.max(...largest))
    );
  });
  const lines = new Map<number, boolean>();
  let projection: boolean | undefined;

  return ({ steps }) => {
    const columnSteps = steps.filter((step) => step in COLUMN_STEPS);
    const selects = steps.some((step) => SELECTIONS.includes(step));
    const projects = steps.includes('pca');
    if (selects && projects) return true;
    if (projects) {
      projection ??= [train, all].some(isCentred) && !columnByColumn();
      if (!projection) return false;
    }
    return versions(columnSteps).some((version) => {
      // Scaling after the last imputing makes no difference to what a projection of the columns can give.
      if (projects)
        return affine(0, version.slice(0, version.findLastIndex(({ name }) => name.startsWith('impute')) + 1));
      if (selects) return after.every((_, at) => before.some((_, from) => isLike(at, from, version)));
      return after.every((_, at) => isLike(at, at, version) || (steps.length > 0 && isLike(at, at, [])));
    });
  };

  function isLike(at: number, from: number, steps: readonly Step[]): boolean {
    const [made, found]: (Column | undefined)[] = [before[from], after[at]];
    if (made?.kind !== found.kind || !onALine(at, from)) return false;
    const change = changes(from, steps);
    return rows.every((row) => {
      const [x, y] = [change(made.values[row]), found.values[row]];
      return x === y || (Number.isNaN(x) && Number.isNaN(y)) || Math.abs(x - y) <= 2 * same * largest[at];
    });
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

/** Every step fitted to the training rows or to all. */
const versions = (steps: readonly string[]): Step[][] =>
  steps.reduce<Step[][]>(
    (made, name) => made.flatMap((version) => [true, false].map((all) => [...version, { name, all }])),
    [[]],
  );

/** A function of a column and steps that is worked out once. */
function remembered<T>(make: (at: number, steps: readonly Step[]) => T): (at: number, steps: readonly Step[]) => T {
  const known = new Map<string, { readonly value: T }>();
  return (at, steps) => {
    const key = `${at} ${steps.map(({ name, all }) => `${name} ${all}`)}`;
    let found = known.get(key);
    if (!found) {
      found = { value: make(at, steps) };
      known.set(key, found);
    }
    return found.value;
  };
}

/** Whether vectors are sums of multiples of columns, by Gram and Schmidt. */
function isProjection(columns: readonly Float64Array[], vectors: readonly Float64Array[], tolerance: number): boolean {
  const basis: Float64Array[] = [];
  /** What the basis does not give; twice, for the rounding errors of the first time. */
  const rest = (vector: Float64Array) => {
    const left = vector.slice();
    for (const unit of [...basis, ...basis]) {
      const part = dot(left, unit);
      for (let i = 0; i < left.length; i++) left[i] -= part * unit[i];
    }
    return left;
  };
  for (const column of columns) {
    const left = rest(column);
    const size = Math.sqrt(dot(left, left));
    if (size > 1e-12 * Math.sqrt(dot(column, column))) basis.push(left.map((value) => value / size));
  }
  return vectors.every((vector) => rest(vector).every((value) => Math.abs(value) <= tolerance));
}

const dot = (a: Float64Array, b: Float64Array) => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
};
