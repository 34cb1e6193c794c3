/** A preparation made again, each step fitted to the training rows or to all, and how far the processed data are off. */
import type { Labels } from '../../core/labels.js';
import type { Column } from '../features.js';
import type { Chain } from './chains.js';
import { COLUMN_STEPS, columnStep } from './columnSteps.js';
import { componentsFitted } from './principal.js';
import { selectBest } from './selection.js';

export interface Task {
  readonly before: readonly Column[];
  readonly after: readonly Column[];
  /** Rows that are compared: training and test rows. */
  readonly rows: Int32Array;
  readonly train: Int32Array;
  readonly all: Int32Array;
  readonly y: Labels | undefined;
}

/** How far the processed data are from a preparation, relative to the largest value of each column. */
export interface Fitted {
  readonly chain: Chain;
  /** From every step fitted to the training rows alone. */
  readonly toTrain: number;
  /** From the nearest version in which some step saw all rows. */
  readonly toAll: number;
  /** The steps that saw all rows there. */
  readonly seen: readonly string[];
  /** Columns that differ most from the training version, up to five. */
  readonly worst: readonly number[];
}

/** Distances column by column; undefined where a step cannot be made. */
type Distances = readonly number[] | undefined;

const largestOf = (distances: Distances) => (distances ? Math.max(0, ...distances) : Infinity);

export function versionsOf(chain: Chain, task: Task, same: number): Fitted {
  const { steps } = chain;
  const learning = steps.filter((step) => step !== 'impute:constant');
  const clean = distancesOf(steps, new Set(), task);
  const toTrain = largestOf(clean);
  let best: { readonly toAll: number; readonly seen: readonly string[] } = {
    toAll: learning.length === 0 ? toTrain : Infinity,
    seen: [],
  };
  // All rows for every step first: that is the usual mistake.
  for (let mask = 2 ** learning.length - 1; mask > 0; mask--) {
    const seen = learning.filter((_, at) => mask & (1 << at));
    const distances = distancesOf(steps, new Set(seen), task);
    const toAll = largestOf(distances);
    if (toAll < best.toAll) best = { toAll, seen };
    if (toAll <= same) break;
  }
  const worst = (clean ?? [])
    .map((distance, at) => ({ distance, at }))
    .filter(({ distance }) => distance > same)
    .sort((a, b) => b.distance - a.distance)
    .slice(0, 5)
    .map(({ at }) => at);
  return { chain, toTrain, worst, ...best };
}

function distancesOf(steps: readonly string[], seen: ReadonlySet<string>, task: Task): Distances {
  const { before, after, rows, train, all, y } = task;
  let columns: readonly Column[] | undefined = before;
  let selected = false;
  for (const [at, step] of steps.entries()) {
    const fitRows = seen.has(step) ? all : train;
    if (step === 'pca') return at === steps.length - 1 ? componentDistances(columns, task, fitRows) : undefined;
    if (step in COLUMN_STEPS) columns = columnStep(step, columns, fitRows);
    else {
      selected = true;
      columns = y && selectBest(step, columns, fitRows, y, after.length);
    }
    if (!columns) return undefined;
  }
  const made = columns;
  if (made.length !== after.length) return undefined;
  if (selected) {
    return after.map((column) =>
      made.reduce((least, each) => Math.min(least, distance(column, each, rows, least)), Infinity),
    );
  }
  // A column may have been left as it was, as is usual for 0/1 columns.
  return after.map((column, at) =>
    Math.min(distance(column, made[at], rows), steps.length > 0 ? distance(column, before[at], rows) : Infinity),
  );
}

/** Relative to the largest value of all components: small ones hold the rounding errors of large ones. */
function componentDistances(columns: readonly Column[], { after, rows }: Task, fitRows: Int32Array): Distances {
  const components = after.map(({ values }) => values);
  if (after.some(({ kind }) => kind === 'category') || components.length > columns.length) return undefined;
  let largest = 0;
  for (const values of components) for (const row of rows) largest = Math.max(largest, Math.abs(values[row]));
  const versions = componentsFitted(columns, components, fitRows).map((version) =>
    version.map((values, at) => {
      let most = 0;
      for (const row of rows) most = Math.max(most, Math.abs(values[row] - components[at][row]));
      return most / largest;
    }),
  );
  return versions.sort((a, b) => largestOf(a) - largestOf(b))[0];
}

/** Infinity where one has a value and the other has none; stops once it exceeds `enough`. */
function distance(a: Column, b: Column, rows: Int32Array, enough = Infinity): number {
  if (a.kind !== b.kind) return Infinity;
  let [most, largest] = [0, 0];
  for (let at = 0; at < rows.length; at++) largest = Math.max(largest, Math.abs(b.values[rows[at]]) || 0);
  const scale = largest || 1;
  for (let at = 0; at < rows.length && most / scale <= enough; at++) {
    const [x, y] = [a.values[rows[at]], b.values[rows[at]]];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
    const apart = Math.abs(x - y);
    if (!(apart < Infinity)) return Infinity;
    most = Math.max(most, apart);
  }
  return most / scale;
}
