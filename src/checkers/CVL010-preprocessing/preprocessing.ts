import { nameText } from '../../core/foreignText.js';
import { counted, formatNumber } from '../../core/format.js';
import { lowerBound } from '../../core/lowerBound.js';
import { numbersWhere } from '../../core/numbersWhere.js';
import { gather, type Labels, rowNumbers } from '../../data/labels.js';
import { patientsOf } from '../../data/sideData.js';
import type { Fold } from '../../splitters/splitter.js';
import { type Check, type Finding, passed, type Share, undecided } from '../check.js';
import type { CheckInput } from '../checkInput.js';
import { columnRanks, commonest } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { decimalStep } from '../features/decimalStep.js';
import { tableOf } from '../features/features.js';
import { EXAMPLES } from '../overlap.js';
import { isSinglePrecision, SAME } from './columnStatistics.js';
import { type Between, type Interpolation, interpolated } from './interpolated.js';
import { targetOf } from './labelSteps.js';
import { LEAST_COLUMNS, type Signature, scalable, TRACES, type Trace, traceOf } from './signature.js';

const FILLED: Readonly<Record<Filling, string>> = {
  'target:mean': 'the mean of y in the rows that share it',
  'impute:class-mean': 'the mean of the other rows of one class',
  'impute:mean': 'the mean of the other rows',
  'impute:median': 'the median of the other rows',
};
function lookedFor(columns: number, y: Labels | undefined): string[] {
  if (columns === 0) return [];
  const scalings = Object.keys(TRACES).filter((name) => name !== 'pca' || columns >= LEAST_COLUMNS);
  const needs = { 'target:mean': targetOf(y) !== undefined, 'impute:class-mean': (y?.classes ?? []).length > 1 };
  return [...scalings, ...Object.keys(FILLED).filter((name) => needs[name as keyof typeof needs] ?? true)];
}
const BY_LABEL: readonly Filling[] = ['target:mean', 'impute:class-mean'];

const DECLARED =
  "On the author's word, whatever was fitted to prepare it, selection of features and making of rows included, was fitted inside the folds or not at all (`preparedInside`).";
const DECLARED_NETWORK =
  'That word covers the network too, which was trained elsewhere and must not have used these rows: ';
const ASK =
  'Fit such steps inside the folds with `preprocessing`, or pass `preparedInside: true` if whatever was fitted to prepare X (scaling, filling, selection of features, drawing or making of rows as by SMOTE) was fitted inside the folds or not at all. Data from before and after can be compared by `checkPreprocessing(XOriginal, XProcessed, folds)`.';

/** Evidence of CVL010. */
export type PreprocessingDetails = {
  /** Numeric columns that vary. */
  readonly columns: number;
  /** Steps whose trace was looked for, by the names of `checkPreprocessing`. */
  readonly lookedFor?: readonly string[];
  /** How they were scaled or filled, and how many of them. */
  readonly signature?: Signature | Filling | 'interpolation';
  readonly scaled?: number;
  readonly authorsWord?: 'preparedInside';
  /** The steps of `preprocessing`, whose `fit` is called with the training rows of each fold alone. */
  readonly fittedInside?: string;
  /** `value` fills the cells of so many `rows`. */
  readonly examples?: readonly (
    | { readonly feature: string; readonly value?: number | null; readonly rows?: number }
    | { readonly row: number; readonly between: readonly number[]; readonly share: number }
  )[];
};

/**
 * CVL010: X was not prepared before it was split. X alone bears only a trace: statistics that are exact over
 * all rows, and that the training rows do not have; a value again and again that is the mean of the other rows.
 *
 * Source: Hastie, Tibshirani & Friedman 2009, The Elements of Statistical Learning, section 7.10.2.
 */
export const preprocessing: Check<PreprocessingDetails> = {
  code: 'CVL010',
  type: 'preprocessing',
  kind: 'leakage',
  cost: 'fast',
  page: 'docs/checks/CVL010.md',
  description: 'Data were scaled, filled, projected or selected over all rows before they were split.',
  needs: ['X'],
  async assess(input) {
    const features = await input.features();
    const columns = tableOf(features);
    const varying = scalable(columns);
    const over = <T extends { holdsFor(rows: Int32Array): boolean }>(trace: T | undefined) => {
      const fold = trace && firstOf(input.folds, ({ train }) => !trace.holdsFor(train));
      return trace && fold ? { trace, fold } : undefined;
    };
    const scaled = varying.length > 0 ? over(await traceOf(varying)) : undefined;
    if (scaled) return ofScaling(scaled.trace, scaled.fold, varying.length);
    const filled = over(fillingOf(varying, input.y));
    if (filled) return ofFilling(filled.trace, filled.fold, varying.length);
    const between = await interpolated(columns, input.y, patientsOf(input.data, input.folds.n)?.codes);
    const torn = between && firstOf(input.folds, (fold) => between.found.some((each) => isTorn(each, fold)));
    if (between && torn) return ofInterpolation(between, torn, varying.length, input);
    const rows = columns.length > 0 ? 'table' : features.images ? 'images' : 'empty';
    return withoutTrace(input, rows, varying.length);
  },
};

function withoutTrace(input: CheckInput, rows: 'table' | 'images' | 'empty', of: number) {
  const isTable = rows === 'table';
  const { preprocessing: inside, preparedInside } = input;
  const none = isTable
    ? `No trace of preparation over all rows (${counted(of, 'numeric column')})`
    : `${rows === 'images' ? 'Images do' : 'Rows without columns do'} not show how they were prepared`;
  const evidence = { columns: of, ...(isTable ? { lookedFor: lookedFor(of, input.y) } : {}) };
  if (inside?.learns && inside.globalSteps.length + inside.frozen.length === 0) {
    const steps = nameText(inside.steps, 200);
    return passed(
      `${none}, and the steps of \`preprocessing\` are fitted to the training rows of each fold alone (${steps}).`,
      { ...evidence, fittedInside: inside.steps },
    );
  }
  return preparedInside
    ? passed(`${none}. ${DECLARED}${networks(inside)}`, { ...evidence, authorsWord: 'preparedInside' as const })
    : undecided(`${none}, but ${doubt(inside)}.`, ASK, evidence);
}

/** What is said of a trace; `columns` of X could bear one. */
const traced = (
  signature: NonNullable<PreprocessingDetails['signature']>,
  {
    severity,
    fold,
    columns,
    message,
    fix,
  }: Pick<Finding, 'severity' | 'message' | 'fix'> & { fold: Fold; columns: number },
  concerns: Share,
  found: Pick<PreprocessingDetails, 'scaled' | 'examples'>,
): Finding<PreprocessingDetails> => ({
  status: 'needs_review',
  severity,
  fold: fold.id,
  message,
  evidence: { signature, columns, ...found },
  concerns,
  fix,
});

function ofScaling({ signature, columns: found, rounded }: Trace, fold: Fold, columns: number) {
  const which = found.length < columns ? `${found.length} of` : 'all';
  const have = columns === 1 ? 'the one column has' : `${which} ${columns} columns have`;
  const message = `Over all rows, ${have} ${TRACES[signature].words} ${rounded ? 'up to rounding' : 'exactly'}, and over the training rows of a fold not: X was scaled before it was split.`;
  const fix = 'Pass X as it was measured, and scale inside the folds by the option `preprocessing`.';
  const examples = found.slice(0, EXAMPLES).map(({ name }) => ({ feature: name }));
  const concerns = { count: found.length, of: columns, unit: 'column' };
  return traced(signature, { severity: 'low', fold, columns, message, fix }, concerns, {
    scaled: found.length,
    examples,
  });
}

/** The row is on one side of a fold, and one of the two that it was made of on the other. */
function isTorn({ row, from, to }: Between, { train, test }: Fold): boolean {
  const on = (side: Int32Array) => [row, from, to].map((each) => side.includes(each));
  const [inTrain, inTest] = [on(train), on(test)];
  return (inTrain[0] && (inTest[1] || inTest[2])) || (inTest[0] && (inTrain[1] || inTrain[2]));
}

function ofInterpolation({ rows, found }: Interpolation, fold: Fold, columns: number, { rowOf }: CheckInput) {
  const message = `${found.length} of ${counted(rows, 'row')} that were examined lie exactly between two other rows of their class, on both sides of a fold: rows were made by SMOTE or another interpolation before X was split.`;
  const fix =
    'Pass the rows that were measured, and make others inside the folds, of training rows alone: `SMOTE` in the option `preprocessing`.';
  const examples = found
    .slice(0, EXAMPLES)
    .map(({ row, from, to, share }) => ({ row: rowOf(row), between: [rowOf(from), rowOf(to)], share }));
  const concerns = { count: found.length, of: rows, unit: 'row' };
  return traced('interpolation', { severity: 'high', fold, columns, message, fix }, concerns, { examples });
}

function ofFilling({ filling, found }: FillingTrace, fold: Fold, columns: number) {
  const shown = found.slice(0, EXAMPLES);
  const named = shown.map(inWords).join(', ');
  const what =
    filling === 'target:mean'
      ? `each value of ${named} is ${FILLED[filling]}: levels were coded by the label before X was split`
      : `${named}: a value that comes again and again is ${FILLED[filling]}, as if missing cells were filled with it before X was split`;
  const more = shown.length < found.length ? ` (${counted(found.length, 'column')} in all)` : '';
  const message = `Over all rows, and not over the training rows of a fold, ${what}${more}.`;
  const fix = `Pass X as it was measured, ${filling === 'target:mean' ? 'levels as text' : 'missing cells as missing'}, and prepare it inside the folds by the option \`preprocessing\`.`;
  const severity = BY_LABEL.includes(filling) ? 'high' : 'low';
  const examples = shown.map(({ column, value, rows }) => ({ feature: column.name, value, rows }));
  const concerns = { count: found.length, of: columns, unit: 'column' };
  return traced(filling, { severity, fold, columns, message, fix }, concerns, { scaled: found.length, examples });
}

const inWords = ({ column, value, rows }: FilledColumn) =>
  value === null
    ? `\`${nameText(column.name)}\``
    : `\`${nameText(column.name)}\` (${formatNumber(value)} in ${counted(rows, 'row')})`;

const NO_TRACE =
  'selection of features, interpolated rows that were rounded, other codes by the label, other ranges, powers and filling with common values leave no trace';

function doubt(inside: CheckInput['preprocessing']): string {
  if (!inside) return NO_TRACE;
  const { frozen, globalSteps, steps } = inside;
  if (frozen.length > 0) {
    return `a network that was trained elsewhere, perhaps on these rows, prepares them: ${listed(frozen)}`;
  }
  if (globalSteps.length > 0) {
    return `the author declares steps that use statistics of other rows: ${globalSteps.map((each) => nameText(each)).join(', ')}`;
  }
  return `the steps of \`preprocessing\` learn nothing, or their \`fit\` names no rows (${nameText(steps, 200)}), and ${NO_TRACE}`;
}

const networks = (inside: CheckInput['preprocessing']) =>
  inside && inside.frozen.length > 0 ? ` ${DECLARED_NETWORK}${listed(inside.frozen)}.` : '';

const listed = (names: readonly string[]) => names.map((each) => nameText(each, 200)).join(', ');

function firstOf(folds: Iterable<Fold>, holds: (fold: Fold) => boolean): Fold | undefined {
  for (const fold of folds) if (holds(fold)) return fold;
  return undefined;
}

// What filling of missing cells, and coding by the label, leave: a value that is a mean of the other rows.

type Filling = 'impute:mean' | 'impute:median' | 'impute:class-mean' | 'target:mean';

/** A column with the value that fills it; of codes by the label there is no one value. */
interface FilledColumn {
  readonly column: Column;
  readonly value: number | null;
  readonly rows: number;
}

interface FillingTrace {
  readonly filling: Filling;
  readonly found: readonly FilledColumn[];
  holdsFor(rows: Int32Array): boolean;
}

/** So many rows must hold another value. */
const LEAST_OTHERS = 8;
/** A value that no other repeats need be there twice only; else so many times as often as any other, and thrice. */
const TIMES = 2;
/** A rounded mean must have two decimals more than the others. */
const FINER = 1 / 50;
/** Of values of no more than three decimals. */
const SHORT = 1e-3;
/** Columns of fewer levels, or of more than a quarter of the rows, say nothing of codes by the label or of a middle. */
const LEAST_LEVELS = 3;
const ROWS_PER_LEVEL = 4;

/** The first trace that is found: a mean of all rows is not taken for that of a class. */
export function fillingOf(all: readonly Column[], y: Labels | undefined): FillingTrace | undefined {
  // What was filled in repeats.
  const columns = all.filter((column) => columnRanks(column).distinct < columnRanks(column).order.length);
  const target = targetOf(y);
  const everyRow = rowsByClass(rowNumbers(columns[0]?.values.length ?? 0), y);
  const marks: readonly [Filling, FillingMark][] = [
    ['target:mean', ({ values }, { rows }) => (target ? coded(values, target, rows) : undefined)],
    ['impute:mean', (column, { rows }) => filledByMean(valuesAt(column, rows))],
    ['impute:class-mean', filledByClass],
    ['impute:median', (column, { rows }) => filledByMedian(valuesAt(column, rows))],
  ];
  for (const [filling, fillOf] of marks) {
    const found = columns.flatMap((column) => {
      const filled = fillOf(column, everyRow);
      return filled ? [{ column, ...filled }] : [];
    });
    if (found.length === 0) continue;
    const holdsFor = (rows: Int32Array) => {
      const some = rowsByClass(rows, y);
      return found.every(({ column }) => fillOf(column, some) !== undefined);
    };
    return { filling, found, holdsFor };
  }
  return undefined;
}

interface ClassRows {
  readonly rows: Int32Array;
  readonly byClass: readonly Int32Array[];
}

function rowsByClass(rows: Int32Array, y: Labels | undefined): ClassRows {
  const codes = y?.codes ?? new Int32Array();
  const classes = codes.length > 0 ? (y?.classes ?? []) : [];
  return { rows, byClass: classes.map((_, code) => rows.filter((row) => codes[row] === code)) };
}

type Filled = Pick<FilledColumn, 'value' | 'rows'> | undefined;
type FillingMark = (column: Column, rows: ClassRows) => Filled;

const valuesAt = ({ values }: Column, rows: Int32Array) =>
  rows.length === values.length ? values : gather(values, rows);

/** A mean does not change when missing cells are filled with it: a value that is the mean of all is that of the others. */
function filledByMean(values: Float64Array): Filled {
  let [n, sum, size] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    n++;
    sum += value;
    size = Math.max(size, Math.abs(value));
  }
  const mean = sum / n;
  let [nearest, count] = [Infinity, 0];
  for (const value of values) {
    if (value === nearest) count++;
    else if (Math.abs(value - mean) < Math.abs(nearest - mean)) [nearest, count] = [value, 1];
  }
  const distance = Math.abs(nearest - mean);
  const own = decimalStep(Float64Array.of(nearest));
  const could = distance <= Math.max(own / 2, SAME.single * size);
  if (!could || count < 2 || n - count < LEAST_OTHERS) return undefined;
  // As fine as the others, it is a value like any other: the first rows decide, mostly.
  if (own >= SHORT && values.some((value) => value !== nearest && !isMultiple(value, own / FINER))) return undefined;
  const others = numbersWhere(values, (value) => value !== nearest);
  const exact = (isSinglePrecision(values) ? SAME.single : SAME.double) * size;
  const step = decimalStep(others);
  if (step > 0) {
    const isOffGrid = own < step * FINER;
    return isOffGrid && distance <= Math.max(own / 2, exact) ? { value: nearest, rows: count } : undefined;
  }
  return distance <= exact && isCommonest(count, others) ? { value: nearest, rows: count } : undefined;
}

const isMultiple = (value: number, step: number) =>
  Number.isNaN(value) || Math.abs(value / step - Math.round(value / step)) < 1e-9;

/** The others hardly repeat, so that a value that does is no measurement. */
function isCommonest(count: number, others: Float64Array): boolean {
  const next = commonest(others).count;
  return next === 1 ? count >= 2 : count >= 3 && count >= TIMES * next;
}

/** A value with as many rows below as above, half way between its neighbours, which no measurement is again and again. */
function filledByMedian(values: Float64Array): Filled {
  const { order } = columnRanks({ values });
  const value = values[order[order.length >> 1]];
  // Changes of many are 0, which is in their middle.
  if (value === 0 || values[order[(order.length - 1) >> 1]] !== value) return undefined;
  const sorted = gather(values, order);
  const first = lowerBound(sorted, value);
  let last = first;
  while (sorted[last + 1] === value) last++;
  const rows = last - first + 1;
  if (rows < 2 || first !== order.length - 1 - last || first * 2 < LEAST_OTHERS) return undefined;
  const [below, above] = [sorted[first - 1], sorted[last + 1]];
  const exact = (isSinglePrecision(values) ? SAME.single : SAME.double) * Math.abs(value);
  if (Math.abs((below + above) / 2 - value) > exact) return undefined;
  const others = numbersWhere(values, (each) => each !== value);
  const step = decimalStep(others);
  if (new Set(others).size < LEAST_LEVELS) return undefined;
  const isNoMeasurement = step > 0 ? decimalStep(Float64Array.of(value)) < step : isCommonest(rows, others);
  return isNoMeasurement ? { value, rows } : undefined;
}

function filledByClass(column: Column, { byClass }: ClassRows): Filled {
  for (const ofClass of byClass) {
    const filled = filledByMean(gather(column.values, ofClass));
    if (filled) return filled;
  }
  return undefined;
}

/** Each level is the mean of the label in its own rows. */
function coded(values: Float64Array, target: ArrayLike<number>, rows: Int32Array): Filled {
  const sums = new Map<number, { count: number; sum: number }>();
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at];
    const value = values[row];
    if (Number.isNaN(value)) continue;
    const level = sums.get(value);
    if (level) {
      level.count++;
      level.sum += target[row];
    } else if ((sums.size + 1) * ROWS_PER_LEVEL > rows.length) return undefined;
    else sums.set(value, { count: 1, sum: target[row] });
  }
  if (sums.size < LEAST_LEVELS || sums.size * ROWS_PER_LEVEL > rows.length) return undefined;
  // Of two classes, either may be the one that counts.
  const isBinary = rows.every((row) => target[row] === 0 || target[row] === 1);
  const is = (flipped: boolean) =>
    Array.from(sums).every(([value, { count, sum }]) => {
      const mean = flipped ? 1 - sum / count : sum / count;
      return Math.abs(mean - value) <= SAME.single * Math.max(1, Math.abs(mean));
    });
  return is(false) || (isBinary && is(true)) ? { value: null, rows: rows.length } : undefined;
}
