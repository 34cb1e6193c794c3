/** Whether data were prepared with what only training rows may tell: the preparation is made again, both ways. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { anything, custom, type InputOf, isList, optionTable } from '../../core/options.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { type LabelsInput, labelsOf, rowNumbers } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { type Finding, undecided } from '../check.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { readFeatures } from '../features/features.js';
import { OrthonormalBasis } from '../features/orthonormalBasis.js';
import { type Chain, chainsFor, isStep, STEPS, sightsOf } from './chains.js';
import { columnStep, toleranceOf } from './columnSteps.js';
import { BOX_COX, leastAt, type PowerFamily, YEO_JOHNSON } from './curves.js';
import { learnedFrom, type Step } from './learned.js';
import { isSingle } from './precision.js';
import { accused, cleared, type PreparationDetails, usesTestLabels } from './preparationFound.js';
import { SELECTIONS } from './selection.js';
import { subsetsOf } from './subsetsOf.js';
import type { StepShape, Task } from './task.js';
import { type Fitted, versionsOf } from './versions.js';

export const preprocessingOptions = optionTable('checkPreprocessingLeakage', {
  featureNames: featureNamesOption.describe('Name of each column of XOriginal; by default those that it has itself.'),
  y: anything<LabelsInput>('labels')
    .optional()
    .describe('Labels of all rows; selection of features cannot be found without.'),
  steps: custom<readonly string[]>(
    'string[]',
    `be a list of one to three of ${STEPS.join(', ')}, or minmax:0..255 for any range`,
    (value) => Array.isArray(value) && value.length > 0 && value.length <= 3 && value.every(isStep),
  )
    .optional()
    .describe('The steps of the preparation in order; left out, the usual ones are tried.'),
});

export type PreprocessingOptions = InputOf<typeof preprocessingOptions>;

/** Row numbers of one fold: `{ train, test }`, as cvkit's folds are, or `[train, test]`. */
type OneSplit =
  | { readonly id?: string; readonly train: ArrayLike<number>; readonly test: ArrayLike<number> }
  | readonly [train: ArrayLike<number>, test: ArrayLike<number>];

/** Row numbers of a fold, or of several: what `split` gives, a plan of folds, a list of pairs. */
export type SplitIndices = OneSplit | Iterable<OneSplit>;

/** Largest difference, relative to the largest value of its column, at which two versions are one. */
const EQUAL = { double: 1e-6, single: 1e-5 };
/** What rounding may leave of a constant column, relative to it. */
const CONSTANT = 1e-12;

/**
 * Refits a preparation to the training rows alone and, step by step, to all rows, and says which of the two the processed
 * data are. `passed`: training rows alone, or there is no difference. `failed`: some step saw all rows. `not_evaluated`:
 * neither, so that the preparation is none of those that are known.
 *
 * @param XOriginal rows before the preparation
 * @param XProcessed the same rows, in the same order, after it
 * @param splitIndices which of them were trained on and tested, in one fold or in each of several; a row that is there
 *   twice, as in a bootstrap sample, counts twice in every fit to the training rows
 * @param owner the call that errors name
 * @throws {InvalidDataError} other numbers of rows, or row numbers that are none.
 */
export async function assessPreprocessing(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions = {},
  owner = preprocessingOptions.owner,
): Promise<Finding<PreparationDetails>> {
  const { featureNames, y, steps } = optionTable(owner, preprocessingOptions.shape).resolve(input);
  const [original, processed] = [rowsOf(XOriginal, 'XOriginal', featureNames), rowsOf(XProcessed, 'XProcessed')];
  const n = original.length;
  checkLength(processed, n, 'XProcessed', 'XOriginal has rows');
  const splits = splitsOf(splitIndices, n);
  const labels = y === undefined ? undefined : labelsOf(y);
  if (labels) checkLength(labels, n, 'y', 'XOriginal has rows');
  const [from, to] = [(await readFeatures(original)).columns, (await readFeatures(processed)).columns];
  const [before, after] = withoutConstants(from, alike(from, to));
  const [exact, rounding] = [after.map(() => 0), after.map((column, at) => roundingOf(column, before[at]))];
  const assessed = splits.map(({ id, train, test }, _, { length }) => {
    const rows = Int32Array.from(new Set([...train, ...test]));
    const task: Task = { before, after, rows, train, all: rowNumbers(n), y: labels, rounding: exact };
    const chains = chainsFor(task, steps);
    const found = verdict(task, chains, steps !== undefined);
    const isRounded = found.status === 'not_evaluated' && rounding.some((half) => half > 0);
    const finding = isRounded ? verdict({ ...task, rounding }, chains, steps !== undefined) : found;
    return length === 1 ? finding : { ...finding, fold: id, message: `${id}: ${finding.message}` };
  });
  // One fold that leaks is enough, and so is one that cannot be told.
  for (const status of ['failed', 'not_evaluated'] as const) {
    const found = assessed.filter((finding) => finding.status === status);
    if (found.length === 0) continue;
    const message =
      found.length > 1
        ? `${found[0].message} The same holds in ${found.length} of ${assessed.length} folds.`
        : found[0].message;
    return { ...found[0], message };
  }
  return assessed[0];
}

function verdict(task: Task, chains: readonly Chain[], named: boolean): Finding<PreparationDetails> {
  const same = task.after.every(({ values }) => isSingle(values)) ? EQUAL.single : EQUAL.double;
  const possible = screening(task, same);
  let [clean, leaked]: (Fitted | undefined)[] = [];
  for (const chain of chains) {
    const most = toleranceOf(chain.steps, same);
    // The shortest preparation that explains the data; another of as many steps may clear them.
    if (leaked && chain.steps.length > leaked.chain.steps.length) break;
    const fitted = versionsOf(chain, task, most, possible(chain));
    if (!fitted) continue;
    // What fills a test cell by the row's own class tells the label, whichever rows it was fitted to.
    if (fitted.toTrain <= most && !usesTestLabels(chain)) clean ??= fitted;
    else leaked ??= fitted;
    if (clean) break;
  }
  if (clean) return cleared(clean, task, toleranceOf(clean.chain.steps, same));
  if (leaked) return accused(leaked, task, toleranceOf(leaked.chain.steps, same));
  const tried = [...new Set(chains.map(({ name }) => name))];
  const which = tried.length === 1 ? `not ${tried[0]}` : `none of the ${tried.length} preparations that were tried`;
  const way = named ? 'Leave `steps` out, so that the usual ones are tried' : 'Name the `steps`';
  return undecided(
    tried.length === 0
      ? 'No preparation that is known turns the columns of XOriginal into as many as XProcessed has.'
      : `XProcessed is ${which}, neither fitted to the training rows nor to all.`,
    task.y
      ? `${way}, or check another way that each was fitted to the training rows alone.`
      : `${way}, and pass \`y\` if features were selected.`,
    { tried: tried.slice(0, 40) },
  );
}

/** Values of fewer decimals than these are no scaled ones that were rounded. */
const COARSEST = 0.01;

/** Half a step of the decimals of a processed column, as a file may have left them; 0 for one that was left as it was. */
function roundingOf({ kind, values }: Column, before: Column | undefined): number {
  if (kind === 'category' || values.every((value, row) => Object.is(value, before?.values[row]))) return 0;
  const step = decimalStep(values);
  // What is half way may have gone either way, up to a rounding error.
  return step > COARSEST ? 0 : (step / 2) * (1 + 1e-6);
}

/** Columns that are constant before and after say nothing, whatever a scaling without spread makes of them. */
function withoutConstants(before: readonly Column[], after: readonly Column[]): [readonly Column[], readonly Column[]] {
  if (before.length !== after.length) return [before, after];
  const varies = (_: Column, at: number) => !isConstant(before[at]) || !isConstant(after[at]);
  const [from, to] = [before.filter(varies), after.filter(varies)];
  return from.length > 0 ? [from, to] : [before, after];
}

/** Up to rounding; missing cells are no values. */
function isConstant({ values }: Column): boolean {
  const present = values.filter((value) => !Number.isNaN(value));
  return present.every((value) => Math.abs(value - present[0]) <= CONSTANT * Math.abs(present[0]));
}

/** Processed columns whose text is coded as in the original column at the same place. */
function alike(before: readonly Column[], after: readonly Column[]): Column[] {
  return after.map((column, at) => {
    const levels = before[at]?.levels;
    if (!column.levels || !levels) return column;
    const codes = column.levels.map((level) => levels.indexOf(level));
    return { ...column, levels, values: column.values.map((code) => (Number.isNaN(code) ? code : codes[code])) };
  });
}

interface Sides {
  readonly id: string;
  readonly train: Int32Array;
  readonly test: Int32Array;
}

function splitsOf(given: SplitIndices, n: number): Sides[] {
  if (isOne(given)) return [sidesOf(given, n, 'splitIndices', 'fold-0')];
  if (typeof given?.[Symbol.iterator] !== 'function') {
    throw new InvalidDataError(sentence('splitIndices', 'be a fold, [train, test] or an iterable of folds', given));
  }
  const splits = Array.from(given, (split, at) => sidesOf(split, n, `splitIndices[${at}]`, `fold-${at}`));
  if (splits.length > 0) return splits;
  throw new InvalidDataError(sentence('splitIndices', 'hold at least one fold', phrase('none')));
}

/** An object with sides, or two lists of numbers; two folds are two lists or objects of lists. */
const isOne = (given: SplitIndices): given is OneSplit =>
  isPair(given) || (typeof given === 'object' && given !== null && ('train' in given || 'test' in given));
const isPair = (given: unknown) =>
  Array.isArray(given) && given.length === 2 && given.every((side) => isList(side) && typeof side[0] !== 'object');

function sidesOf(split: OneSplit, n: number, name: string, place: string): Sides {
  const { id = place, ...of } = (
    Array.isArray(split) ? { train: split[0], test: split[1] } : (split ?? {})
  ) as Partial<Sides>;
  const sides = { id, train: checkedRows(of.train, n, `${name}.train`), test: checkedRows(of.test, n, `${name}.test`) };
  const trained = new Set(sides.train);
  const both = sides.test.find((row) => trained.has(row));
  if (both !== undefined) {
    throw new InvalidDataError(sentence(name, 'hold no row on both sides', phrase(`row ${both}`)));
  }
  return sides;
}

function checkedRows(rows: unknown, n: number, name: string): Int32Array {
  const must = 'be a list of row numbers';
  if (!isList(rows) || rows.length === 0) throw new InvalidDataError(sentence(name, must, rows));
  const odd = Array.from(rows).find((row) => !(Number.isInteger(row) && (row as number) >= 0 && (row as number) < n));
  if (odd !== undefined) throw new InvalidDataError(sentence(name, `hold row numbers from 0 to ${n - 1}`, odd));
  return Int32Array.from(rows as ArrayLike<number>);
}

// A look at few rows that rules most preparations out before any of them is made again in full.

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
