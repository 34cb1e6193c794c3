import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted, formatNumber } from '../../core/format.js';
import { presentIn } from '../../core/numbersWhere.js';
import { anything, custom, type InputOf, isList, optionTable } from '../../core/options.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { type LabelsInput, labelsOf, rowNumbers } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { type Finding, passed, undecided } from '../check.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { readFeatures } from '../features/features.js';
import { type SingleCheck, singleCheck } from '../singleCheck.js';
import { type Chain, chainsFor, isStep, STEPS } from './chains.js';
import { isSinglePrecision } from './columnStatistics.js';
import { columnStep, learnsNothing, toleranceOf } from './columnSteps.js';
import { SELECTIONS } from './selection.js';
import type { PreparedData } from './task.js';
import { type Fitted, type Learned, learnedFrom, versionsOf } from './versions.js';

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

export async function checkPreprocessing(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<SingleCheck> {
  const finding = await assessPreprocessing(XOriginal, XProcessed, splitIndices, input, 'checkPreprocessing');
  const { steps, fittedToAllRows = [], byTestLabels = [], tolerance = null } = finding.evidence;
  const leaking = new Set([...fittedToAllRows, ...byTestLabels]);
  return singleCheck(finding, { count: leaking.size, of: steps?.length, threshold: tolerance });
}

export async function checkPreprocessingLeakage(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<boolean> {
  const { status, message, fix } = await assessPreprocessing(XOriginal, XProcessed, splitIndices, input);
  if (status !== 'not_evaluated') return status === 'failed';
  const must = 'be made from XOriginal by steps that can be done again';
  throw new InvalidDataError(`${sentence('XProcessed', must, phrase('something else'))} ${message} ${fix}`.trim(), {
    code: 'unknown_preprocessing',
  });
}

/** Largest difference, relative to the largest value of its column, at which two versions are one. */
const EQUAL = { double: 1e-6, single: 1e-5 };
/** What rounding may leave of a constant column, relative to it. */
const CONSTANT = 1e-12;

/**
 * Refits a preparation to the training rows alone and, step by step, to all rows. `passed`: training rows alone, or no
 * difference; `failed`: some step saw all rows; `not_evaluated`: none of those that are known. A training row that is
 * there twice, as in a bootstrap sample, counts twice.
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
  const [before, after] = withoutConstants(from, withSharedCodes(from, to));
  const [exact, rounding] = [after.map(() => 0), after.map((column, at) => roundingOf(column, before[at]))];
  const assessed = splits.map(({ id, train, test }, _, { length }) => {
    const rows = Int32Array.from(new Set([...train, ...test]));
    const task: PreparedData = { before, after, rows, train, all: rowNumbers(n), y: labels, rounding: exact };
    const chains = chainsFor(task, steps);
    const learned = learnedFrom(task);
    const found = verdict(task, learned, chains, steps !== undefined);
    const isRounded = found.status === 'not_evaluated' && rounding.some((half) => half > 0);
    const finding = isRounded ? verdict({ ...task, rounding }, learned, chains, steps !== undefined) : found;
    return length === 1 ? finding : { ...finding, fold: id, message: `${id}: ${finding.message}` };
  });
  // One fold that leaks is enough, and so is one that is unknown.
  for (const status of ['failed', 'not_evaluated'] as const) {
    const found = assessed.filter((finding) => finding.status === status);
    if (found.length === 0) continue;
    const also = found.length > 1 ? ` The same holds in ${found.length} of ${assessed.length} folds.` : '';
    return { ...found[0], message: `${found[0].message}${also}` };
  }
  return assessed[0];
}

function verdict(
  task: PreparedData,
  learned: Learned,
  chains: readonly Chain[],
  named: boolean,
): Finding<PreparationDetails> {
  const same = task.after.every(({ values }) => isSinglePrecision(values)) ? EQUAL.single : EQUAL.double;
  let [clean, leaked]: (Fitted | undefined)[] = [];
  for (const chain of chains) {
    const most = toleranceOf(chain.steps, same);
    // The shortest preparation that explains the data; another of as many steps may clear them.
    if (leaked && chain.steps.length > leaked.chain.steps.length) break;
    const fitted = versionsOf(chain, task, learned, most);
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

function isConstant({ values }: Column): boolean {
  const present = presentIn(values);
  return present.every((value) => Math.abs(value - present[0]) <= CONSTANT * Math.abs(present[0]));
}

/** Processed columns whose text is coded as in the original column at the same place. */
function withSharedCodes(before: readonly Column[], after: readonly Column[]): Column[] {
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

function splitsOf(splitIndices: SplitIndices, n: number): Sides[] {
  if (isOne(splitIndices)) return [sidesOf(splitIndices, n, 'splitIndices', 'fold-0')];
  if (typeof splitIndices?.[Symbol.iterator] !== 'function') {
    const must = 'be a fold, [train, test] or an iterable of folds';
    throw new InvalidDataError(sentence('splitIndices', must, splitIndices));
  }
  const splits = Array.from(splitIndices, (split, at) => sidesOf(split, n, `splitIndices[${at}]`, `fold-${at}`));
  if (splits.length > 0) return splits;
  throw new InvalidDataError(sentence('splitIndices', 'hold at least one fold', phrase('none')));
}

/** An object with sides, or two lists of numbers; two folds are two lists or objects of lists. */
const isOne = (value: SplitIndices): value is OneSplit =>
  isPair(value) || (typeof value === 'object' && value !== null && ('train' in value || 'test' in value));
const isPair = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((side) => isList(side) && typeof side[0] !== 'object');

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
  const invalid = Array.from(rows).find(
    (row) => !(Number.isInteger(row) && (row as number) >= 0 && (row as number) < n),
  );
  if (invalid !== undefined) throw new InvalidDataError(sentence(name, `hold row numbers from 0 to ${n - 1}`, invalid));
  return Int32Array.from(rows as ArrayLike<number>);
}

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
  /** The coarsest step that processed columns are rounded to, where they fit no preparation but by rounding. */
  readonly roundedTo?: number;
  /** Preparations that were tried, where none was recognised. */
  readonly tried?: readonly string[];
};

const roundedTo = ({ rounding }: PreparedData) => Number((2 * Math.max(0, ...rounding)).toPrecision(3));

const usesTestLabels = ({ steps }: Chain) => steps.some((step) => columnStep(step)?.labelled);

/** Components and what learns from labels weigh more than scaling and filling. */
const usesLabels = (name: string) => /^(target|impute:class)/.test(name) || !columnStep(name);

const known = (distance: number) => (distance < Infinity ? distance : null);
const off = (distance: number, which: string) =>
  distance < Infinity
    ? `${which} would differ by ${formatNumber(distance)} of the largest value`
    : `${which} would not give it`;

const distances = (
  { chain, toTrain, toAll, leaking }: Fitted,
  task: PreparedData,
  same: number,
): PreparationDetails => ({
  steps: chain.steps,
  fittedToAllRows: toTrain > same ? leaking : [],
  toTrain: known(toTrain),
  toAll: known(toAll),
  tolerance: same,
  ...(roundedTo(task) > 0 ? { roundedTo: roundedTo(task) } : {}),
});

function cleared(fitted: Fitted, task: PreparedData, same: number): Finding<PreparationDetails> {
  const { chain, toAll } = fitted;
  const evidence = distances(fitted, task, same);
  const preparation = nameOf(chain, task);
  if (chain.steps.length === 0) {
    return passed('XProcessed is XOriginal: nothing was fitted between the two.', evidence);
  }
  if (chain.steps.every(learnsNothing)) {
    return passed(`XProcessed is XOriginal after ${preparation}, which learns nothing from any row.`, evidence);
  }
  if (chain.steps.some((step) => SELECTIONS.includes(step)) && areKept(task)) {
    return passed(chosen(chain, task, toAll <= same), evidence);
  }
  const message =
    toAll <= same
      ? `XProcessed is XOriginal after ${preparation}; fitted to the training rows or to all rows, it is indistinguishable here.`
      : `XProcessed is XOriginal after ${preparation}, fitted to the training rows alone (${off(toAll, 'all rows')}).`;
  return passed(message, evidence);
}

const areKept = ({ before, after }: PreparedData) =>
  after.every(({ values }) => before.some((from) => values.every((value, row) => Object.is(value, from.values[row]))));

/** Nobody is known to have made this step: columns were left out, by it, by another or by hand. */
function chosen({ name }: Chain, { before, after }: PreparedData, either: boolean): string {
  const what = `XProcessed is ${counted(after.length, 'column')} of the ${before.length} of XOriginal, as they were`;
  return either
    ? `${what}. Whoever chose them, by hand or by y, test rows need not have been seen: \`${name}\` keeps the same columns by the training rows alone as by all rows.`
    : `${what}: those that \`${name}\` keeps by the training rows alone, while it would keep others by all rows.`;
}

function nameOf({ name }: Chain, task: PreparedData): string {
  const step = roundedTo(task);
  return step > 0 ? `${name} (rounded to ${step})` : name;
}

function accused(fitted: Fitted, task: PreparedData, same: number): Finding<PreparationDetails> {
  const { before } = task;
  const { chain, leaking, toTrain, worst } = fitted;
  const byLabel = chain.steps.filter((step) => columnStep(step)?.labelled);
  const hard = [...leaking, ...byLabel].some(usesLabels);
  const byColumn = chain.steps.every((step) => columnStep(step));
  const which = leaking.length < chain.steps.length ? `, with ${leaking.join(', ')}` : ',';
  const what = `XProcessed is XOriginal after ${nameOf(chain, task)}`;
  const byOwnLabel = `${byLabel.join(', ')} fills missing cells of test rows by their own label, which is what is to be predicted`;
  return {
    status: 'failed',
    severity: hard ? 'high' : 'medium',
    message:
      toTrain <= same
        ? `${what}, fitted to the training rows alone; but ${byOwnLabel}.`
        : `${what}${which} fitted to all rows, test rows included (${off(toTrain, 'the training rows alone')}).${byLabel.length > 0 ? ` Also, ${byOwnLabel}.` : ''}`,
    evidence: {
      ...distances(fitted, task, same),
      ...(byLabel.length > 0 ? { byTestLabels: byLabel } : {}),
      ...(byColumn && worst.length > 0 ? { columns: worst.map((at) => before[at].name) } : {}),
    },
    fix:
      byLabel.length > 0
        ? 'Fill without the label, by a step that is fitted to the training rows of each fold.'
        : 'Fit every step to the training rows of each fold: put them into the model that is trained, as a pipeline.',
  };
}
