/** A preparation made again, each step fitted to the training rows or to all, and how far the processed data are off. */
import type { Column } from '../features/columns.js';
import { dot } from '../features/orthonormalBasis.js';
import { type Chain, sightsOf } from './chains.js';
import { columnStep } from './columnSteps.js';
import { learnedFrom, type Step } from './learned.js';
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

// * Whether columns are principal components of others as fitted to some rows. No components are computed: those that are
// there are held against what defines them, which leaves signs, rotations and the number of components open.

/** How far the spread of components may be from what it should be. */
const SPREAD = 1e-4;

/**
 * The columns as a fit to `rows` would have given them, or undefined where they are no components of unit directions
 * (plain) or of unit variance (whitened).
 *
 * With Z the columns less their means over `rows`, P the components there and A = Z'P, components are P = Z W with
 * W = A (A'A)^-1 P'P exactly if their directions span a space that the covariance maps to itself: first each component by
 * itself (up to its sign), then all together (up to a rotation).
 *
 * Source: Jolliffe 2002, Principal Component Analysis, section 2.1 (what defines components).
 *
 * @param columns what they were made of
 * @param components what may be components of it, over the same rows
 */
function componentsFitted(
  columns: readonly Column[],
  components: readonly Float64Array[],
  rows: Int32Array,
): Float64Array[][] {
  if (columns.some(({ kind, values }) => kind === 'category' || values.some((v) => !Number.isFinite(v)))) return [];
  const Z = columns.map(({ values }) => {
    let mean = 0;
    for (const row of rows) mean += values[row] / rows.length;
    return values.map((value) => value - mean);
  });
  const alone: Float64Array[] = [];
  for (const component of components) {
    const [found] = mapped(Z, [component], rows) ?? [];
    if (!found) break;
    alone.push(found);
  }
  const together = components.length > 1 ? mapped(Z, components, rows) : undefined;
  return [...(alone.length === components.length ? [alone] : []), ...(together ? [together] : [])];
}

function mapped(Z: readonly Float64Array[], P: readonly Float64Array[], rows: Int32Array): Float64Array[] | undefined {
  const A = P.map((p) => Float64Array.from(Z, (z) => dotOver(rows, z, p)));
  const PP = P.map((p) => P.map((q) => dotOver(rows, p, q)));
  const AA = A.map((a) => A.map((b) => dot(a, b)));
  // Whitening leaves unit variance, with either divisor.
  const whitened = [rows.length - 1, rows.length].some((m) => isIdentity(PP.map((line) => line.map((v) => v / m))));
  const M = solved(AA, PP);
  if (!M) return undefined;
  const W = M[0].map((_, q) => Float64Array.from(Z, (_, p) => A.reduce((sum, a, at) => sum + a[p] * M[at][q], 0)));
  if (!whitened && !isIdentity(W.map((v) => W.map((w) => dot(v, w))))) return undefined;
  return W.map((w) => {
    const out = new Float64Array(P[0].length);
    Z.forEach((z, at) => {
      for (let row = 0; row < out.length; row++) out[row] += w[at] * z[row];
    });
    return out;
  });
}

function dotOver(rows: Int32Array, a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < rows.length; at++) sum += a[rows[at]] * b[rows[at]];
  return sum;
}

const isIdentity = (matrix: readonly (readonly number[])[]) =>
  matrix.every((line, i) => line.every((value, j) => Math.abs(value - Number(i === j)) < SPREAD));

/** X with A X = B for a symmetric, positive A, by elimination with pivots; undefined where A has no inverse. */
function solved(A: readonly (readonly number[])[], B: readonly (readonly number[])[]): number[][] | undefined {
  const n = A.length;
  // Components differ in size by orders of magnitude: the scale of each is divided out first.
  const scale = A.map((line, i) => Math.sqrt(line[i]));
  if (scale.some((size) => !(size > 0))) return undefined;
  const lines = A.map((line, i) => [...line.map((v, j) => v / scale[i] / scale[j]), ...B[i].map((v) => v / scale[i])]);
  for (let step = 0; step < n; step++) {
    let pivot = step;
    for (let i = step; i < n; i++) if (Math.abs(lines[i][step]) > Math.abs(lines[pivot][step])) pivot = i;
    [lines[step], lines[pivot]] = [lines[pivot], lines[step]];
    if (Math.abs(lines[step][step]) < 1e-13) return undefined;
    for (let i = 0; i < n; i++) {
      if (i === step) continue;
      const factor = lines[i][step] / lines[step][step];
      for (let j = step; j < lines[i].length; j++) lines[i][j] -= factor * lines[step][j];
    }
  }
  return lines.map((line, i) => line.slice(n).map((v) => v / line[i] / scale[i]));
}
