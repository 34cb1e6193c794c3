/** A preparation made again, each step fitted to the training rows or to all, and how far the processed data are off. */
import type { Column } from '../features/columns.js';
import { type Chain, sightsOf } from './chains.js';
import { columnStep } from './columnSteps.js';
import { learnedFrom, type Step } from './learned.js';
import { componentsFitted } from './principal.js';
import { selectBest } from './selection.js';
import { subsetsOf } from './subsetsOf.js';
import type { Task } from './task.js';

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

/** Components are worked out of those that are rounded: their own rounding, and that of what they are held against. */
const TWICE = 2;

/** Distances column by column; undefined where a step cannot be made. */
type Distances = readonly number[] | undefined;

const largestOf = (distances: Distances) => (distances ? Math.max(0, ...distances) : Infinity);

/**
 * The chain made again; undefined where no version is the processed data.
 *
 * @param possible which steps may have seen all rows: the versions that need to be looked at
 */
export function versionsOf(
  chain: Chain,
  task: Task,
  same: number,
  possible: readonly (readonly string[])[],
): Fitted | undefined {
  const { steps } = chain;
  const couldBeClean = possible.some((seen) => seen.length === 0);
  let clean = couldBeClean ? distancesOf(steps, [], task) : undefined;
  const isClean = largestOf(clean) <= same;
  const sights = sightsOf(steps);
  let best: { readonly toAll: number; readonly seen: readonly string[] } = {
    toAll: sights.length === 1 ? largestOf(clean) : Infinity,
    seen: [],
  };
  for (const seen of isClean ? sights : possible) {
    if (seen.length === 0) continue;
    const toAll = largestOf(distancesOf(steps, seen, task));
    if (toAll < best.toAll) best = { toAll, seen };
    if (toAll <= same) break;
  }
  if (!isClean && best.toAll > same) return undefined;
  if (!couldBeClean) clean = distancesOf(steps, [], task);
  const worst = (clean ?? [])
    .map((distance, at) => ({ distance, at }))
    .filter(({ distance }) => distance > same)
    .sort((a, b) => b.distance - a.distance)
    .slice(0, 5)
    .map(({ at }) => at);
  return { chain, toTrain: largestOf(clean), worst, ...best };
}

function distancesOf(steps: readonly string[], seen: readonly string[], task: Task): Distances {
  const { before, after, rows, train, all, y, rounding } = task;
  const learned = learnedFrom(task);
  const done: Step[] = [];
  let kept: readonly number[] = [...before.keys()];
  let selected = false;
  const columns = () => kept.map((at) => learned.column(at, done));
  for (const [at, name] of steps.entries()) {
    const fitRows = seen.includes(name) ? all : train;
    if (name === 'pca') return at === steps.length - 1 ? componentDistances(columns(), task, fitRows) : undefined;
    if (columnStep(name)) done.push({ name, all: seen.includes(name) });
    else {
      selected = true;
      const best = y && selectBest(name, columns(), fitRows, y, after.length);
      if (!best) return undefined;
      kept = best.map((place) => kept[place]);
    }
  }
  if (kept.length !== after.length) return undefined;
  if (selected) {
    const made = columns();
    const sizes = made.map((column) => sizeOf(column, rows));
    return after.map((column, place) =>
      made.reduce(
        (least, each, at) => Math.min(least, distance(column, each, rows, sizes[at], rounding[place], least)),
        Infinity,
      ),
    );
  }
  // A column may have been spared any of the steps, as 0/1 columns usually are of scaling, and numbers of what is for text.
  return after.map((column, at) => {
    let least = Infinity;
    for (const part of subsetsOf(done)) {
      const made = learned.column(at, part);
      least = Math.min(least, distance(column, made, rows, sizeOf(made, rows), rounding[at], least));
      if (least === 0) break;
    }
    return least;
  });
}

/** Relative to the largest value of all components: small ones hold the rounding errors of large ones. */
function componentDistances(
  columns: readonly Column[],
  { after, rows, rounding }: Task,
  fitRows: Int32Array,
): Distances {
  const components = after.map(({ values }) => values);
  if (after.some(({ kind }) => kind === 'category') || components.length > columns.length) return undefined;
  const largest = Math.max(...after.map((column) => sizeOf(column, rows)));
  const versions = componentsFitted(columns, components, fitRows).map((version) =>
    version.map((values, at) => {
      let most = 0;
      for (const row of rows) most = Math.max(most, Math.abs(values[row] - components[at][row]) - TWICE * rounding[at]);
      return most / largest;
    }),
  );
  return versions.sort((a, b) => largestOf(a) - largestOf(b))[0];
}

/** The largest value of a column without its sign, or 1. */
function sizeOf({ values }: Column, rows: Int32Array): number {
  let largest = 0;
  for (const row of rows) largest = Math.max(largest, Math.abs(values[row]) || 0);
  return largest || 1;
}

/**
 * In sizes of b, beyond what `rounding` explains; Infinity where one has a value and the other has none. Stops once it
 * exceeds `enough`.
 */
function distance(a: Column, b: Column, rows: Int32Array, size: number, rounding: number, enough = Infinity): number {
  if (a.kind !== b.kind) return Infinity;
  let most = 0;
  for (let at = 0; at < rows.length && most / size <= enough; at++) {
    const [x, y] = [a.values[rows[at]], b.values[rows[at]]];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
    const apart = Math.abs(x - y);
    if (!(apart < Infinity)) return Infinity;
    most = Math.max(most, apart - rounding);
  }
  return most / size;
}
