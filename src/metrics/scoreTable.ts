/** What a metric reads: predictions beside the truth, coded once so that every metric is a few lines. */
import { type AdapterError, InvalidDataError, sentence } from '../core/errors.js';
import { gather, type Label, type Labels, labelsOf, positiveCode, type Task, type TaskOption } from '../core/labels.js';
import { weightsOf } from '../core/sideData.js';

/** Rows with truth, prediction and weight. Arrays are shared, not copied: read only. */
export interface ScoreTable {
  readonly task: Task;
  readonly length: number;
  /** Classes in ascending order (multilabel: label columns). Empty for regression. */
  readonly classes: readonly Label[];
  /** Binary: index of the positive class in `classes`; -1 otherwise. */
  readonly positive: number;
  /** Regression: numbers. Binary and multiclass: class codes. Multilabel: 0/1, row-major `[n, classes]`. */
  readonly yTrue: ArrayLike<number>;
  /** Coded like `yTrue`. */
  readonly yPred: ArrayLike<number>;
  /**
   * Probabilities where the model gives them. Binary: P(positive), length n. Multiclass and multilabel: row-major
   * `[n, classes]`.
   */
  readonly yProba?: Float64Array;
  /** Weight per row; absent means 1 each. Weight k counts as the row k times. */
  readonly weight?: Float64Array;
}

/** What {@link scoreTable} takes: plain arrays as users have them. */
export interface ScoreTableInput {
  yTrue: ArrayLike<Label> | readonly (readonly number[])[];
  yPred?: ArrayLike<Label> | readonly (readonly number[])[];
  /** Binary: P(positive) per row. Multiclass: rows of probabilities in ascending order of the classes. */
  yProba?: ArrayLike<number> | readonly (readonly number[])[];
  sampleWeight?: ArrayLike<number>;
  task?: TaskOption;
  positiveLabel?: Label;
  /** All classes, when `yTrue` may lack some. */
  classes?: readonly Label[];
}

/**
 * Builds a {@link ScoreTable} from plain arrays. Without `yPred`, labels follow from `yProba`: the class of highest
 * probability, for binary the positive class above .5.
 */
export function scoreTable(input: ScoreTableInput): ScoreTable {
  const truth = labelsOf(input.yTrue, { task: input.task, name: 'yTrue' });
  const n = truth.length;
  const classes = classesOf(truth, input);
  const task: Task = truth.task === 'binary' && classes.length > 2 ? 'multiclass' : truth.task;
  const positive = task === 'binary' ? positiveCode(classes, input.positiveLabel) : -1;
  const width = task === 'binary' || task === 'regression' ? 1 : classes.length;
  const yProba = input.yProba === undefined ? undefined : probabilitiesOf(input.yProba, n, width);
  const weight = input.sampleWeight === undefined ? undefined : weightsOf(input.sampleWeight, n);
  if (input.yPred === undefined && yProba === undefined) {
    throw new InvalidDataError('A score needs `yPred` or `yProba`. Got neither.');
  }
  const yTrue = code(truth, classes, 'yTrue');
  const yPred =
    input.yPred === undefined
      ? labelsFromProbabilities(yProba as Float64Array, { task, classes, positive })
      : code(labelsOf(input.yPred, { task: predictedTask(task), name: 'yPred' }), classes, 'yPred');
  const rows = task === 'multilabel' ? yPred.length / width : yPred.length;
  if (rows !== n) throw new InvalidDataError(sentence('yPred', `have ${n} rows, as yTrue has`, { text: String(rows) }));
  return { task, length: n, classes, positive, yTrue, yPred, yProba, weight };
}

const predictedTask = (task: Task): TaskOption =>
  task === 'binary' || task === 'multiclass' ? 'classification' : task;

function classesOf(truth: Labels, { classes, positiveLabel, yPred }: ScoreTableInput): readonly Label[] {
  if (truth.task === 'regression' || truth.task === 'multilabel') return truth.classes;
  const extra = classes ?? [
    ...(yPred ? labelsOf(yPred, { task: 'classification', name: 'yPred' }).classes : []),
    ...(positiveLabel === undefined ? [] : [positiveLabel]),
  ];
  return [...new Set([...truth.classes, ...extra])].sort((a, b) => (a < b ? -1 : 1));
}

function code(labels: Labels, classes: readonly Label[], name: string): ArrayLike<number> {
  if (labels.task === 'regression') return labels.numbers;
  if (labels.task === 'multilabel') return labels.indicators;
  const codes = labels.classes.map((label) => classes.indexOf(label));
  const unknown = codes.indexOf(-1);
  if (unknown >= 0) {
    throw new InvalidDataError(sentence(name, 'hold known classes only', labels.classes[unknown]));
  }
  return labels.codes.map((old) => codes[old]);
}

function probabilitiesOf(given: NonNullable<ScoreTableInput['yProba']>, n: number, width: number): Float64Array {
  const nested = given.length > 0 && typeof given[0] !== 'number';
  const flat = nested
    ? Float64Array.from((given as readonly ArrayLike<number>[]).flatMap((row) => Array.from(row)))
    : Float64Array.from(given as ArrayLike<number>);
  if (flat.length !== n * width) {
    throw new InvalidDataError(
      sentence('yProba', `hold ${width === 1 ? n : `${n} rows of ${width}`} probabilities`, {
        text: `${flat.length} numbers`,
      }),
    );
  }
  checkProbabilities(flat, width, 'yProba', InvalidDataError);
  return flat;
}

/** Throws unless every entry is a number from 0 to 1 (with 1e-6 of rounding). */
export function checkProbabilities(
  data: ArrayLike<number>,
  width: number,
  name: string,
  Failure: typeof InvalidDataError | typeof AdapterError,
): void {
  for (let i = 0; i < data.length; i++) {
    if (!(data[i] >= -1e-6 && data[i] <= 1 + 1e-6)) {
      throw new Failure(sentence(`${name} row ${Math.floor(i / width)}`, 'be a probability from 0 to 1', data[i]), {
        code: 'invalid_probabilities',
      });
    }
  }
}

/** Codes of the most probable class; binary: the positive class above .5; multilabel: each label above .5. */
export function labelsFromProbabilities(
  yProba: Float64Array,
  { task, classes, positive }: Pick<ScoreTable, 'task' | 'classes' | 'positive'>,
): Int32Array {
  if (task === 'multilabel') return Int32Array.from(yProba, (p) => (p > 0.5 ? 1 : 0));
  if (task === 'binary') {
    const negative = 1 - positive;
    return Int32Array.from(yProba, (p) => (p > 0.5 ? positive : negative));
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

/** The rows `indices` of a table, which may repeat (resampling). */
export function takeRows(table: ScoreTable, indices: Int32Array): ScoreTable {
  const width = (values: ArrayLike<number>) => values.length / table.length;
  const pick = <T extends ArrayLike<number>>(values: T): T => {
    const step = width(values);
    if (step === 1 && (values instanceof Int32Array || values instanceof Float64Array)) {
      return gather(values, indices) as unknown as T;
    }
    const out = new (values.constructor as { new (n: number): Float64Array })(indices.length * step);
    for (let i = 0; i < indices.length; i++) {
      for (let j = 0; j < step; j++) out[i * step + j] = values[indices[i] * step + j];
    }
    return out as unknown as T;
  };
  return {
    ...table,
    length: indices.length,
    yTrue: pick(table.yTrue),
    yPred: pick(table.yPred),
    ...(table.yProba ? { yProba: pick(table.yProba) } : {}),
    ...(table.weight ? { weight: pick(table.weight) } : {}),
  };
}
