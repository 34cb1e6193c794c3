/** A preparation made again, each step fitted to the training rows or to all, and how far the processed data are off. */
import { mean } from '../../core/numbers.js';
import { gather } from '../../data/labels.js';
import { cholesky, solveWith } from '../features/cholesky.js';
import type { Column } from '../features/columns.js';
import { dot } from '../features/orthonormalBasis.js';
import { type Chain, leakVariants, subsetsOf } from './chains.js';
import { columnStep } from './columnSteps.js';
import { selectBest } from './selection.js';
import type { Change, ColumnStep, PreparedData } from './task.js';

/** How far the processed data are from a preparation, relative to the largest value of each column. */
export interface Fitted {
  readonly chain: Chain;
  readonly toTrain: number;
  /** From the nearest version in which some step saw all rows. */
  readonly toAll: number;
  readonly leaking: readonly string[];
  readonly worst: readonly number[];
}

/** Components are worked out of those that are rounded: their own rounding, and that of what they are held against. */
const TWICE = 2;

type Distances = readonly number[] | undefined;

const largestOf = (distances: Distances) => distances?.reduce((most, each) => Math.max(most, each), 0) ?? Infinity;

export function versionsOf(chain: Chain, task: PreparedData, learned: Learned, same: number): Fitted | undefined {
  const { steps } = chain;
  // Most chains are wrong already in the first column: the others are compared where one is right.
  const isClean = largestOf(distancesOf(steps, [], task, learned, same)) <= same;
  const variants = leakVariants(steps).slice(0, -1);
  const limit = isClean ? Infinity : same;
  let toAll = Infinity;
  let leaking: readonly string[] = [];
  for (const variant of variants) {
    const distance = largestOf(distancesOf(steps, variant, task, learned, limit));
    if (distance < toAll) [toAll, leaking] = [distance, variant];
    if (distance <= same) break;
  }
  if (!isClean && toAll > same) return undefined;
  const clean = distancesOf(steps, [], task, learned);
  const toTrain = largestOf(clean);
  const worst = [...(clean ?? []).entries()]
    .filter(([, distance]) => distance > same)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([at]) => at);
  return { chain, toTrain, toAll: variants.length === 0 ? toTrain : toAll, leaking, worst };
}

function distancesOf(
  steps: readonly string[],
  leaking: readonly string[],
  task: PreparedData,
  learned: Learned,
  limit = Infinity,
): Distances {
  const { before, after, rows, train, all, y, rounding } = task;
  const done: Step[] = [];
  let kept: readonly number[] = [...before.keys()];
  let selected = false;
  const columns = () => kept.map((at) => learned(at, done));
  for (const [at, name] of steps.entries()) {
    const fitRows = leaking.includes(name) ? all : train;
    if (name === 'pca') return at === steps.length - 1 ? componentDistances(columns(), task, fitRows) : undefined;
    if (columnStep(name)) done.push({ name, all: leaking.includes(name) });
    else {
      selected = true;
      const best = y && selectBest(name, columns(), fitRows, y, after.length);
      if (!best) return undefined;
      kept = best.map((place) => kept[place]);
    }
  }
  if (kept.length !== after.length) return undefined;
  const distances: number[] = [];
  for (const [at, column] of after.entries()) {
    // A column may have been spared any of the steps, as 0/1 columns usually are of scaling, and numbers of what is for text.
    const versions = selected
      ? kept.map((place) => [place, done] as const)
      : subsetsOf(done).map((part) => [at, part] as const);
    let least = Infinity;
    for (const [place, part] of versions) {
      const version = learned(place, part);
      least = Math.min(least, distance(column, version, rows, sizeOf(version, rows), rounding[at], least));
      if (least === 0) break;
    }
    distances.push(least);
    if (least > limit) break;
  }
  return distances;
}

/** Relative to the largest value of all components: small ones hold the rounding errors of large ones. */
function componentDistances(
  columns: readonly Column[],
  { after, rows, rounding }: PreparedData,
  fitRows: Int32Array,
): Distances {
  const components = after.map(({ values }) => values);
  if (after.some(({ kind }) => kind === 'category') || components.length > columns.length) return undefined;
  const largest = after.reduce((most, column) => Math.max(most, sizeOf(column, rows)), 0);
  const versions = componentsFitted(columns, components, fitRows).map((version) =>
    version.map((values, at) => {
      let most = 0;
      for (const row of rows) most = Math.max(most, Math.abs(values[row] - components[at][row]) - TWICE * rounding[at]);
      return most / largest;
    }),
  );
  return versions.sort((a, b) => largestOf(a) - largestOf(b))[0];
}

function sizeOf({ values }: Column, rows: Int32Array): number {
  let largest = 0;
  for (const row of rows) largest = Math.max(largest, Math.abs(values[row]) || 0);
  return largest || 1;
}

/** In sizes of b, beyond `rounding`; Infinity where one value is missing. Stops once it exceeds `enough`. */
function distance(a: Column, b: Column, rows: Int32Array, size: number, rounding: number, enough = Infinity): number {
  if (a.kind !== b.kind) return Infinity;
  let most = 0;
  for (let at = 0; at < rows.length && most / size <= enough; at++) {
    const [x, y] = [a.values[rows[at]], b.values[rows[at]]];
    if (x === y || (Number.isNaN(x) && Number.isNaN(y))) continue;
    const difference = Math.abs(x - y);
    if (!(difference < Infinity)) return Infinity;
    most = Math.max(most, difference - rounding);
  }
  return most / size;
}

interface Step {
  readonly name: string;
  readonly all: boolean;
}

export type Learned = (at: number, steps: readonly Step[]) => Column;

export function learnedFrom({ before, after, train, all, y }: PreparedData): Learned {
  const changes = new Map<string, Change>();
  const trained = new Set(train);

  function changeBy(at: number, steps: readonly Step[]): Change {
    const last = steps.at(-1);
    if (!last) return (value) => value;
    const key = `${at} ${steps.map(({ name, all }) => `${name} ${all}`)}`;
    const found = changes.get(key) ?? learn(at, steps.slice(0, -1), last);
    changes.set(key, found);
    return found;
  }

  /** A level becomes a number by its target. */
  const kindAfter = (at: number, steps: readonly Step[]): Column['kind'] =>
    steps.some(({ name }) => columnStep(name)?.shape === 'target') ? 'number' : before[at].kind;

  function learn(at: number, steps: readonly Step[], { name, all: fromAll }: Step): Change {
    const earlier = changeBy(at, steps);
    const { learn, text } = columnStep(name) as ColumnStep;
    if (kindAfter(at, steps) === 'category' && !text) return earlier;
    const values = steps.length === 0 ? before[at].values : before[at].values.map(earlier);
    const fitted = fromAll ? all : train;
    const rows = fitted.filter((row) => !Number.isNaN(values[row]));
    const change = learn({
      known: gather(values, rows),
      rows,
      count: fitted.length,
      y,
      // Where the steps leave as many columns, each is at its place.
      found: after.length === before.length ? after[at] : undefined,
      values,
      isTrained: (row) => trained.has(row),
    });
    return (value, row) => change(earlier(value, row), row);
  }

  return (at, steps) =>
    steps.length === 0
      ? before[at]
      : { ...before[at], kind: kindAfter(at, steps), values: before[at].values.map(changeBy(at, steps)) };
}

// Whether columns are principal components of others as fitted to some rows. No components are computed: those that are
// there are held against what defines them, which leaves signs, rotations and the number of components open.

/** How far the spread of components may be from what it should be. */
const SPREAD = 1e-4;
const SINGULAR = 1e-6;

/**
 * With Z the columns less their means over `rows`, P the components there and A = Z'P, components are P = Z W with W =
 * A (A'A)^-1 P'P exactly if their directions span a space that the covariance maps to itself: first each component by
 * itself (up to its sign), then all together (up to a rotation). None where they have neither unit directions nor unit
 * variance.
 * Source: Jolliffe 2002, Principal Component Analysis, section 2.1 (what defines components).
 */
function componentsFitted(
  columns: readonly Column[],
  components: readonly Float64Array[],
  rows: Int32Array,
): Float64Array[][] {
  if (columns.some(({ kind, values }) => kind === 'category' || values.some((v) => !Number.isFinite(v)))) return [];
  const Z = columns.map(({ values }) => {
    const centre = mean(gather(values, rows));
    return values.map((value) => value - centre);
  });
  const alone = components.flatMap((component) => mapped(Z, [component], rows) ?? []);
  const together = components.length > 1 ? mapped(Z, components, rows) : undefined;
  return [...(alone.length === components.length ? [alone] : []), ...(together ? [together] : [])];
}

function mapped(Z: readonly Float64Array[], P: readonly Float64Array[], rows: Int32Array): Float64Array[] | undefined {
  const fitted = P.map((p) => gather(p, rows));
  const ofZ = Z.map((z) => gather(z, rows));
  const A = fitted.map((p) => Float64Array.from(ofZ, (z) => dot(z, p)));
  const PP = fitted.map((p) => fitted.map((q) => dot(p, q)));
  const AA = A.map((a) => A.map((b) => dot(a, b)));
  const whitened = [rows.length - 1, rows.length].some((m) => isIdentity(PP.map((line) => line.map((v) => v / m))));
  const M = solved(AA, PP);
  if (!M) return undefined;
  const W = M[0].map((_, q) => Float64Array.from(Z, (_, p) => A.reduce((sum, a, at) => sum + a[p] * M[at][q], 0)));
  if (!whitened && !isIdentity(W.map((v) => W.map((w) => dot(v, w))))) return undefined;
  return W.map((w) => P[0].map((_, row) => Z.reduce((sum, z, at) => sum + w[at] * z[row], 0)));
}

const isIdentity = (matrix: readonly (readonly number[])[]) =>
  matrix.every((line, i) => line.every((value, j) => Math.abs(value - Number(i === j)) < SPREAD));

/** X with A X = B for a symmetric, positive A; undefined where A has no inverse. */
function solved(A: readonly (readonly number[])[], B: readonly (readonly number[])[]): number[][] | undefined {
  const n = A.length;
  // Components differ in size by orders of magnitude: the scale of each is divided out first.
  const scale = A.map((line, i) => Math.sqrt(line[i]));
  const lower = cholesky(Float64Array.from(A.flatMap((line, i) => line.map((v, j) => v / scale[i] / scale[j]))), n);
  if (scale.some((_, i) => !(lower[i * n + i] > SINGULAR))) return undefined;
  const scaled = B[0].map((_, q) => Float64Array.from(B, (line, i) => line[q] / scale[i]));
  const columns = scaled.map((column) => solveWith(lower, column));
  return scale.map((size, i) => columns.map((column) => column[i] / size));
}
