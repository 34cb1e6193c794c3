import { type AdapterError, InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList, rejectUnusedOption } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { encode, tally } from '../data/encode.js';
import {
  type Aggregate,
  classText,
  countClasses,
  type Label,
  type Labels,
  labelsOf,
  listed,
  type MaskFacts,
  type Task,
  type TaskOption,
  writtenShape,
} from '../data/labels.js';
import { positiveCode } from '../data/positiveCode.js';
import { weightsOf } from '../data/sideData.js';

/** Rows with truth, prediction and weight. Arrays are shared, not copied: read only. */
export interface ScoreTable {
  readonly task: Task;
  readonly length: number;
  /** Classes in ascending order (multilabel: label columns; survival: the times of `yProba`; regression: places of several targets, empty for one). */
  readonly classes: readonly Label[];
  /** Masks: shape of the mask of one row, for example `[64, 64]`; its pixels are the label columns. */
  readonly shape?: readonly number[];
  /** Binary: index of the positive class in `classes`. Survival: the cause of interest. -1 otherwise. */
  readonly positive: number;
  /** Regression: numbers, of several targets row-major. Survival: times. Binary and multiclass: codes, places in `classes`, never the labels. Multilabel: 0/1, row-major `[n, classes]`. */
  readonly yTrue: ArrayLike<number>;
  /** Coded like `yTrue`. Survival: risks, larger for an earlier event. */
  readonly yPred: ArrayLike<number>;
  /**
   * Probabilities where the model gives them. Binary: P(positive), length n. Multiclass and multilabel: row-major
   * `[n, classes]`. Survival: of having had no event by each time.
   */
  readonly yProba?: Float64Array;
  /** Survival: 0 for censored, else the cause. */
  readonly event?: Int32Array;
  /**
   * Survival, row-major `[n, 1 + classes]`: by the training rows of the fold, the probability of not being censored before the
   * row's own time, and by each time of `classes`. Left out, metrics take it from the rows themselves.
   */
  readonly censoring?: Float64Array;
  /** Masks in a run: channels and spacing, by which `hd95` and `nsd` are computed. */
  readonly masks?: MaskFacts;
  /** A number that the rows of one patient share, for scores by patient. */
  readonly patients?: Int32Array;
  /** What makes one prediction of those of a patient. */
  readonly aggregate?: Aggregate;
  /** Weight per row; absent means 1 each. Weight k counts as the row k times. */
  readonly weight?: Float64Array;
  /** Only the weights of this table change: a metric may keep what it computes from the other arrays. */
  readonly fixed?: true;
}

/** What {@link scoreTable} takes: plain arrays as users have them. Null means left out. */
export interface ScoreTableInput {
  yTrue: ArrayLike<Label> | readonly (readonly number[])[];
  yPred?: ArrayLike<Label> | readonly (readonly number[])[] | null;
  /** Binary: P(positive) per row. Multiclass: rows of probabilities in ascending order of the classes. */
  yProba?: ArrayLike<number> | readonly (readonly number[])[] | null;
  sampleWeight?: ArrayLike<number> | null;
  task?: TaskOption | null;
  positiveLabel?: Label | null;
  /** All classes, when `yTrue` may lack some. */
  classes?: readonly Label[] | null;
}

/**
 * Builds a {@link ScoreTable} from plain arrays. Without `yPred`, labels follow from `yProba`: the class of highest
 * probability, for binary the positive class above .5. Throws {@link InvalidDataError} for lengths that differ, NaN,
 * numbers that are not probabilities and labels that are not classes.
 *
 * @example
 * const table = scoreTable({ yTrue, yProba });
 * console.log(table.classes, table.positive, table.yPred.length);
 */
export function scoreTable(predictions: ScoreTableInput): ScoreTable {
  if (typeof predictions !== 'object' || predictions === null) {
    throw new InvalidDataError(sentence('scoreTable', 'be given { yTrue, yPred, yProba }', kindOf(predictions)));
  }
  const input = Object.fromEntries(
    Object.entries(predictions).filter(([, value]) => value !== null),
  ) as unknown as PresentInput;
  const truth = labelsOf(input.yTrue, { task: input.task, name: 'yTrue' });
  if (truth.task === 'survival')
    throw new InvalidDataError('Outcomes by time have no score table. Use survivalScores.');
  if (truth.task === 'regression' && truth.classes.length > 0)
    throw new InvalidDataError('Several targets have no score table. Pass each alone.');
  const n = truth.length;
  const classes = classesOf(truth, input);
  const task: Task = truth.task === 'binary' && classes.length > 2 ? 'multiclass' : truth.task;
  if (input.positiveLabel !== undefined && task !== 'binary')
    rejectUnusedOption('scoreTable', 'positiveLabel', `the task is ${task}`);
  const positive = task === 'binary' ? positiveCode(classes, input.positiveLabel) : -1;
  const facts = { task, length: n, classes, positive, ...(truth.shape ? { shape: truth.shape } : {}) };
  const yProba = input.yProba === undefined ? undefined : probabilitiesOf(input.yProba, facts);
  const weight =
    input.sampleWeight === undefined ? undefined : weightsOf(input.sampleWeight, n, 'sampleWeight', 'yTrue');
  if (input.yPred === undefined && yProba === undefined) {
    throw new InvalidDataError('A score needs `yPred` or `yProba`. Got neither.');
  }
  const yTrue = code(truth, classes, 'yTrue');
  const yPred =
    input.yPred === undefined
      ? labelsFromProbabilities(yProba as Float64Array, facts)
      : code(predictedLabels(input.yPred, facts), classes, 'yPred');
  if (yPred.length !== yTrue.length) {
    const got = phrase(String(yPred.length / labelWidth(facts)));
    throw new InvalidDataError(sentence('yPred', `have ${n} rows, as yTrue has`, got), { code: 'length_mismatch' });
  }
  return { ...facts, yTrue, yPred, ...(yProba ? { yProba } : {}), ...(weight ? { weight } : {}) };
}

type PresentInput = { readonly [K in keyof ScoreTableInput]: Exclude<ScoreTableInput[K], null> };

type TableFacts = Pick<ScoreTable, 'task' | 'classes' | 'positive'>;

export const labelWidth = ({ task, classes }: Pick<ScoreTable, 'task' | 'classes'>) =>
  ((task === 'multilabel' || task === 'regression') && classes.length) || 1;

export const probaWidth = ({ task, classes }: Pick<ScoreTable, 'task' | 'classes'>) =>
  task === 'binary' ? 1 : classes.length;

function predictedLabels(
  yPred: NonNullable<PresentInput['yPred']>,
  { task, shape }: Pick<ScoreTable, 'task' | 'shape'>,
): Labels {
  const option: TaskOption = task === 'binary' || task === 'multiclass' ? 'classification' : task;
  const labels = labelsOf(yPred, { task: option, name: 'yPred' });
  if (labels.shape?.join() === shape?.join()) return labels;
  const got = phrase(writtenShape(labels.shape));
  throw new InvalidDataError(sentence('yPred', `be ${writtenShape(shape)}, as yTrue is`, got));
}

function classesOf(truth: Labels, { classes, positiveLabel, yPred, task }: PresentInput): readonly Label[] {
  if (truth.task === 'regression' || truth.task === 'multilabel') return truth.classes;
  const extra = classes ?? (yPred ? labelsOf(yPred, { task: 'classification', name: 'yPred' }).classes : []);
  const kind = typeof truth.classes[0];
  const invalid = extra.find((label) => typeof label !== kind);
  if (invalid !== undefined) {
    throw new InvalidDataError(sentence('Predictions and classes', `be ${kind}s, as yTrue is`, kindOf(invalid)));
  }
  const all = encode([...truth.classes, ...extra]).classes;
  if (all.length === 1) return pairOf(truth, positiveLabel, task);
  if (task === 'binary' && all.length > 2) {
    const share = extra.find((label) => typeof label === 'number' && label > 0 && label < 1);
    if (share !== undefined && truth.classes.length <= 2) {
      const way =
        'Give probabilities as `yProba`; labels come from cutting them: yProba.map((p) => (p >= 0.5 ? 1 : 0)).';
      throw new InvalidDataError(sentence('yPred', 'be labels', kindOf(share), way));
    }
    const got = phrase(`${all.length} in yTrue, yPred and \`classes\``);
    throw new InvalidDataError(sentence('The classes of a binary task', 'be two', got));
  }
  const rows = tally(truth.codes, truth.classes.length);
  return countClasses(all, () => all.map((label) => rows[truth.classes.indexOf(label)] ?? 0));
}

/** The two classes when only one occurs: the other is known for 0/1, false/true, and another positive label. */
function pairOf(truth: Labels, positiveLabel: Label | undefined, task: TaskOption | undefined): readonly Label[] {
  const [only] = truth.classes;
  if (positiveLabel !== undefined && positiveLabel !== only) return encode([only, positiveLabel]).classes;
  if (only === 0 || only === 1) return [0, 1];
  if (typeof only === 'boolean') return [false, true];
  const got = phrase(`${classText(truth.classes, 0)} alone`);
  const way =
    task === 'binary' ? 'Use the labels 0 and 1, of which one may be missing.' : 'Name all of them in `classes`.';
  throw new InvalidDataError(sentence('yTrue', 'hold two classes or more', got, way), { code: 'one_class' });
}

function code(labels: Labels, classes: readonly Label[], name: string): ArrayLike<number> {
  if (labels.task === 'regression') return labels.numbers;
  if (labels.task === 'multilabel') return labels.indicators;
  const codes = labels.classes.map((label) => classes.indexOf(label));
  const unknown = codes.indexOf(-1);
  if (unknown >= 0) {
    const subject = `${name} row ${labels.codes.indexOf(unknown)}`;
    const must = `be one of the classes ${listed(classes)}`;
    throw new InvalidDataError(sentence(subject, must, kindOf(labels.classes[unknown])));
  }
  return labels.codes.map((old) => codes[old]);
}

export function probabilitiesOf(
  columns: NonNullable<ScoreTableInput['yProba']>,
  facts: TableFacts & { length: number },
  name = 'yProba',
): Float64Array {
  const { task, length } = facts;
  if (task === 'regression') {
    throw new InvalidDataError('A regression has no `yProba`. Use `yPred` for its predictions.');
  }
  const width = probaWidth(facts);
  const each = task === 'binary' ? 'one probability of the positive class' : `${width} probabilities, one per class`;
  if (typeof columns?.length !== 'number') throw new InvalidDataError(sentence(name, 'be an array', kindOf(columns)));
  if (columns.length !== length) {
    const got = phrase(String(columns.length));
    throw new InvalidDataError(sentence(name, `have ${length} rows, as yTrue has`, got), { code: 'length_mismatch' });
  }
  if (width === 1 && columns instanceof Float64Array) return checkedProbabilities(columns, 1, name, InvalidDataError);
  const values = new Array<unknown>(length * width);
  for (let row = 0; row < length; row++) {
    const cells = isList(columns[row]) ? (columns[row] as ArrayLike<unknown>) : [columns[row]];
    if (cells.length !== width) {
      throw new InvalidDataError(sentence(`${name} row ${row}`, `be ${each}`, kindOf(columns[row])));
    }
    for (let j = 0; j < width; j++) values[row * width + j] = cells[j];
  }
  return checkedProbabilities(values, width, name, InvalidDataError, task === 'multiclass');
}

/** Allows 1e-6 of rounding, and 1e-3 in the sum of a row: many rounded 32-bit numbers. */
export function checkedProbabilities(
  data: ArrayLike<unknown>,
  width: number,
  name: string,
  Failure: typeof InvalidDataError | typeof AdapterError,
  sumToOne = false,
): Float64Array {
  const out = new Float64Array(data.length);
  const refuse = (i: number, must: string, got: unknown): never => {
    const row = Math.floor(i / width);
    throw new Failure(sentence(`${name} row ${row}`, must, got), { code: 'invalid_probabilities', row });
  };
  let sum = 0;
  for (let i = 0; i < data.length; i++) {
    const p = numberOf(data[i]);
    if (!(p >= -1e-6 && p <= 1 + 1e-6)) refuse(i, 'be a probability from 0 to 1', kindOf(data[i], [0, 1]));
    out[i] = Math.min(1, Math.max(0, p));
    sum = i % width === 0 ? p : sum + p;
    const last = sumToOne && i % width === width - 1;
    if (last && Math.abs(sum - 1) > 1e-3) refuse(i, 'have probabilities that sum to 1', kindOf(sum, [1, 1]));
  }
  return out;
}

/** The most probable class; binary: the positive class above .5; multilabel: each label above .5. */
export function labelsFromProbabilities(
  yProba: Float64Array,
  { task, classes, positive }: TableFacts,
): Int32Array | Uint8Array {
  if (task === 'multilabel') return new Uint8Array(yProba.map((p) => (p > 0.5 ? 1 : 0)));
  if (task === 'binary') {
    const negative = 1 - positive;
    return new Int32Array(yProba.map((p) => (p > 0.5 ? positive : negative)));
  }
  const width = classes.length;
  const codes = new Int32Array(yProba.length / width);
  for (let row = 0; row < codes.length; row++) {
    let best = 0;
    for (let c = 1; c < width; c++) if (yProba[row * width + c] > yProba[row * width + best]) best = c;
    codes[row] = best;
  }
  return codes;
}
