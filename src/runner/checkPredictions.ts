/** Checks what a model predicts (right shape, no NaN, known labels) and turns it into codes for scoring. */
import { AdapterError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import { readNumbers } from '../core/readNumbers.js';
import { type Label, type Labels, labelsOf, listed, writtenShape } from '../data/labels.js';
import { checkedProbabilities, labelsFromProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import { censoringColumns } from '../survival/ipcw.js';
import type { Predictions } from './frameworkAdapter.js';
import { timedPredictions } from './timedPredictions.js';

type Expected = Pick<Labels, 'task' | 'classes' | 'length' | 'shape'>;

/**
 * Truth and predictions of the test rows as a {@link ScoreTable}. Throws {@link AdapterError} when the model gave the
 * wrong number of rows or columns, NaN, an unknown label, or something that is no probability.
 */
export function checkPredictions(
  predictions: Predictions,
  truth: Labels,
  positive: number,
  weight: Float64Array | undefined,
): ScoreTable {
  return { ...truthTable(truth, positive, weight), ...codedPredictions(predictions, truth, positive) };
}

export function truthTable(truth: Labels, positive: number, weight: Float64Array | undefined) {
  const { task, classes, length, shape, masks, patients, aggregate } = truth;
  const yTrue = hasNumbers(task) ? truth.numbers : task === 'multilabel' ? truth.indicators : truth.codes;
  return {
    ...{ task, classes, positive, length, yTrue },
    ...(task === 'survival' ? timedFacts(truth) : {}),
    ...(shape ? { shape } : {}),
    ...(masks ? { masks } : {}),
    ...(patients ? { patients } : {}),
    // Outcomes of folds are plain data: a function joins them where they are scored.
    ...(typeof aggregate === 'string' ? { aggregate } : {}),
    ...(weight ? { weight } : {}),
  };
}

/** What is predicted is a number, not a code. */
export const hasNumbers = (task: Labels['task']): boolean => task === 'regression' || task === 'survival';

function timedFacts({ numbers, codes, classes, timed }: Labels): Pick<ScoreTable, 'event' | 'censoring'> {
  if (!timed?.censoring) return { event: codes };
  return { event: codes, censoring: censoringColumns(timed.censoring, numbers, classes as readonly number[]) };
}

/** Predictions in codes, and probabilities with columns in the order of the classes; binary: P(positive) alone. */
export function codedPredictions(
  predictions: Predictions,
  expected: Expected,
  positive: number,
): Pick<ScoreTable, 'yPred' | 'yProba'> {
  if (expected.task === 'survival') return timedPredictions(predictions, expected);
  const yProba = predictions.probabilities ? orderedProbabilities(predictions, expected, positive) : undefined;
  if (predictions.values !== undefined) {
    return { yPred: codedValues(predictions.values, expected), ...(yProba ? { yProba } : {}) };
  }
  if (!yProba) throw wrong('A model', 'predict values or probabilities', phrase('neither'));
  return { yPred: labelsFromProbabilities(yProba, { ...expected, positive }), yProba };
}

const wrong = (subject: string, must: string, got: ReturnType<typeof phrase>, row?: number) =>
  new AdapterError(sentence(subject, must, got), {
    code: 'invalid_predictions',
    ...(row === undefined ? {} : { row }),
  });

function codedValues(
  values: NonNullable<Predictions['values']>,
  { task, classes, length, shape }: Expected,
): ArrayLike<number> {
  if (values.length !== length)
    throw wrong(
      'A model',
      `predict one value for each of the ${length} rows to predict`,
      phrase(String(values.length)),
    );
  if (task === 'regression') {
    if (classes.length === 0) return readNumbers(values, 'The prediction of', {}, AdapterError);
    const predicted = labelsOf(values, { task, name: 'The prediction' });
    if (predicted.classes.length === classes.length) return predicted.numbers;
    const got = phrase(String(predicted.classes.length || 1));
    throw wrong('A model', `predict ${classes.length} numbers per row, one for each target`, got);
  }
  if (task === 'multilabel') {
    const predicted = labelsOf(values, { task, name: 'The prediction' });
    if (predicted.classes.length !== classes.length)
      throw wrong('A model', `predict ${classes.length} labels per row`, phrase(String(predicted.classes.length)));
    // A flat row of pixels is what adapters may give; nested ones say which pixel is where.
    if (predicted.shape && predicted.shape.join() !== shape?.join())
      throw wrong('A model', `predict ${writtenShape(shape)}`, phrase(writtenShape(predicted.shape)));
    return predicted.indicators;
  }
  const codeOf = new Map(classes.map((label, code) => [label, code]));
  return Int32Array.from(values as ArrayLike<number>, (value, row) => {
    const code = codeOf.get(value);
    if (code !== undefined) return code;
    throw wrong(`The prediction of row ${row}`, `be one of the classes ${listed(classes)}`, kindOf(value), row);
  });
}

/** Columns in the order of `classes`; binary: P(positive) alone. A class that the model does not know has probability 0. */
function orderedProbabilities(predictions: Predictions, expected: Expected, positive: number): Float64Array {
  const { data: predicted, shape } = checkedColumns(predictions.probabilities);
  const { task, classes, length } = expected;
  const [rows, columns] = shape;
  if (predictions.classes !== undefined) checkClasses(predictions.classes, classes);
  const order = predictions.classes ?? (task === 'binary' && columns === 1 ? [classes[positive]] : classes);
  if (rows !== length || columns !== order.length || predicted.length !== rows * columns) {
    const got = phrase(`shape [${shape.join(', ')}] with ${predicted.length} numbers`);
    throw wrong('A model', `predict probabilities of shape [${length}, ${order.length}]`, got);
  }
  const sumToOne = task !== 'multilabel' && columns > 1;
  const data = checkedProbabilities(predicted, columns, 'The prediction of', AdapterError, sumToOne);
  if (task === 'binary' && columns === 1 && order[0] !== classes[positive]) return data.map((p) => 1 - p);
  const wanted = task === 'binary' ? [classes[positive]] : classes;
  // Not by searching: masks have as many classes as pixels.
  const places = new Map(order.map((label, column) => [label, column]));
  const columnOf = wanted.map((label) => places.get(label) ?? -1);
  const out = new Float64Array(length * wanted.length);
  for (let row = 0; row < length; row++) {
    for (let j = 0; j < wanted.length; j++) {
      out[row * wanted.length + j] = columnOf[j] < 0 ? 0 : data[row * columns + columnOf[j]];
    }
  }
  return out;
}

function checkedColumns(columns: unknown): NonNullable<Predictions['probabilities']> {
  const { data, shape } = Object(columns);
  if (isList(data) && isList(shape)) return columns as NonNullable<Predictions['probabilities']>;
  throw wrong('The probabilities that a model predicts', 'be { data, shape: [rows, columns] }', kindOf(columns));
}

/** Refuses classes that y does not have: their columns would be dropped in silence. A class of y may be missing. */
function checkClasses(order: readonly Label[], classes: readonly Label[]): void {
  const name = 'The `classes` that a model predicts';
  if (!Array.isArray(order)) throw wrong(name, 'be an array of labels', kindOf(order));
  const known = new Set(classes);
  const unknown = order.findIndex((label) => !known.has(label));
  if (unknown >= 0) {
    const must = `be among the classes of y, ${listed(classes)}`;
    throw new AdapterError(sentence(name, must, kindOf(order[unknown])), { code: 'unknown_label' });
  }
  if (new Set(order).size < order.length) throw wrong(name, 'be all different', phrase('one of them twice'));
}
