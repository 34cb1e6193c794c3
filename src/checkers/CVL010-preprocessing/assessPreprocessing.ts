/** Whether data were prepared with what only training rows may tell: the preparation is made again, both ways. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { formatNumber } from '../../core/format.js';
import { anything, custom, type InputOf, isList, optionTable } from '../../core/options.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { type LabelsInput, labelsOf, rowNumbers } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { type Finding, passed, undecided } from '../check.js';
import type { Column } from '../features/columns.js';
import { readFeatures } from '../features/features.js';
import { type Chain, chainsFor, isStep, STEPS } from './chains.js';
import { columnStep, learnsNothing, toleranceOf } from './columnSteps.js';
import { screening } from './screening.js';
import type { Task } from './task.js';
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

/** Evidence of a preparation that was recognised. */
export type PreparationDetails = {
  readonly steps: readonly string[];
  /** The steps that saw all rows. */
  readonly fittedToAllRows: readonly string[];
  /** The steps that used the labels of test rows. */
  readonly byTestLabels?: readonly string[];
  /** Largest difference from the version of the training rows and from that of all rows; null where there is none. */
  readonly toTrain: number | null;
  readonly toAll: number | null;
  /** Largest difference at which two versions are one. */
  readonly tolerance: number;
  /** The columns that differ most, where each step is one of single columns. */
  readonly columns?: readonly string[];
  /** Preparations that were tried, where none was recognised. */
  readonly tried?: readonly string[];
};

/** Largest difference, relative to the largest value of its column, at which two versions are one. */
const SAME = { double: 1e-6, single: 1e-5 };
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
  const assessed = splits.map(({ id, train, test }, _, { length }) => {
    const rows = Int32Array.from(new Set([...train, ...test]));
    const task: Task = { before, after, rows, train, all: rowNumbers(n), y: labels };
    const finding = verdict(task, chainsFor(task, steps), steps !== undefined);
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
  const same = task.after.every(({ values }) => values.every((value) => !(Math.fround(value) !== value)))
    ? SAME.single
    : SAME.double;
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
  if (clean) return cleared(clean, toleranceOf(clean.chain.steps, same));
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

/** Whether the labels of test rows decide what these rows become. */
const usesTestLabels = ({ steps }: Chain) => steps.some((step) => columnStep(step)?.labelled);

/** Components and what learns from labels weigh more than scaling and filling. */
const usesLabels = (name: string) => /^(target|impute:class)/.test(name) || !columnStep(name);

/** No number stands for a version that cannot be made. */
const known = (distance: number) => (distance < Infinity ? distance : null);
const off = (distance: number, which: string) =>
  distance < Infinity
    ? `${which} would differ by ${formatNumber(distance)} of the largest value`
    : `${which} would not give it`;

const distances = ({ chain, toTrain, toAll, seen }: Fitted, same: number): PreparationDetails => ({
  steps: chain.steps,
  fittedToAllRows: toTrain > same ? seen : [],
  toTrain: known(toTrain),
  toAll: known(toAll),
  tolerance: same,
});

function cleared(fitted: Fitted, same: number): Finding<PreparationDetails> {
  const { chain, toAll } = fitted;
  const evidence = distances(fitted, same);
  if (chain.steps.length === 0) {
    return passed('XProcessed is XOriginal: nothing was fitted between the two.', evidence);
  }
  if (chain.steps.every(learnsNothing)) {
    return passed(`XProcessed is XOriginal after ${chain.name}, which learns nothing from any row.`, evidence);
  }
  const message =
    toAll <= same
      ? `XProcessed is XOriginal after ${chain.name}; fitted to the training rows or to all rows, it is indistinguishable here.`
      : `XProcessed is XOriginal after ${chain.name}, fitted to the training rows alone (${off(toAll, 'all rows')}).`;
  return passed(message, evidence);
}

function accused(fitted: Fitted, { before }: Task, same: number): Finding<PreparationDetails> {
  const { chain, seen, toTrain, worst } = fitted;
  const byLabel = chain.steps.filter((step) => columnStep(step)?.labelled);
  const hard = [...seen, ...byLabel].some(usesLabels);
  const byColumn = chain.steps.every((step) => columnStep(step));
  const which = seen.length < chain.steps.length ? `, with ${seen.join(', ')}` : ',';
  const what = `XProcessed is XOriginal after ${chain.name}`;
  const told = `${byLabel.join(', ')} fills missing cells of test rows by their own label, which is what is to be predicted`;
  return {
    status: 'failed',
    severity: hard ? 'high' : 'medium',
    message:
      toTrain <= same
        ? `${what}, fitted to the training rows alone; but ${told}.`
        : `${what}${which} fitted to all rows, test rows included (${off(toTrain, 'the training rows alone')}).${byLabel.length > 0 ? ` Also, ${told}.` : ''}`,
    evidence: {
      ...distances(fitted, same),
      ...(byLabel.length > 0 ? { byTestLabels: byLabel } : {}),
      ...(byColumn && worst.length > 0 ? { columns: worst.map((at) => before[at].name) } : {}),
    },
    fix:
      byLabel.length > 0
        ? 'Fill without the label, by a step that is fitted to the training rows of each fold.'
        : 'Fit every step to the training rows of each fold: put them into the model that is trained, as a pipeline.',
  };
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
