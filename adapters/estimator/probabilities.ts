/** Class probabilities from the several ways in which models give them, always with classes in ascending order. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import type { Label } from '../../src/core/labels.js';
import type { LabelFacts, Predictions } from '../../src/runner/frameworkAdapter.js';
import { checkMask, classOf, type ResultRows, resultRows } from './predictions.js';
import type { Estimator } from './structures.js';

type Probabilities = NonNullable<Predictions['probabilities']>;

/**
 * Probabilities `[n, classes]`, or undefined when the model gives none. They come from `predictProba(X)`; from the votes
 * of the trees in mljs forests; or from mljs `predictProbability(X, label)`, label by label.
 */
export async function probabilitiesFrom(
  model: Estimator,
  X: unknown[],
  facts: LabelFacts,
): Promise<Probabilities | undefined> {
  if (model.predictProba)
    return fromRows(model, await resultRows(await model.predictProba(X), X.length, 'probabilities'), facts);
  if (facts.task === 'multilabel') return undefined;
  // predictProbability of ml-random-forest 2.1 loses the vote of the first tree (its sum has no start value).
  if (model.predictionValues) {
    const { rows } = await resultRows(await model.predictionValues(X), X.length, 'votes');
    return checked(rows.map((votes) => facts.classes.map((label) => share(votes, label))));
  }
  if (model.predictProbability && model.predictProbability.length >= 2) return labelByLabel(model, X, facts);
  return undefined;
}

const share = (votes: readonly unknown[], label: Label) =>
  votes.filter((vote) => classOf(vote, [label]) !== undefined).length / votes.length;

async function labelByLabel(model: Estimator, X: unknown[], { classes }: LabelFacts): Promise<Probabilities> {
  const columns: unknown[][] = [];
  for (const label of classes) {
    const { rows } = await resultRows(await model.predictProbability?.(X, label), X.length, 'probabilities');
    columns.push(rows.map(([value]) => value));
  }
  return checked(X.map((_, row) => columns.map((column) => column[row])));
}

async function fromRows(model: Estimator, found: ResultRows, facts: LabelFacts): Promise<Probabilities> {
  const { task, classes } = facts;
  const { rows, width } = found;
  if (task === 'multilabel') {
    checkMask('probabilities', found, facts);
    if (width !== classes.length) throw wrongWidth(width, classes.length);
    return checked(rows);
  }
  if (task === 'binary' && width === 1) {
    checked(rows, 1); // names the value that the model gave, not 1 less it
    return checked(rows.map(([p]) => [1 - (p as number), p]));
  }
  const order = await columnOrder(model, classes);
  if (width !== order.length) throw wrongWidth(width, order.length);
  // A class that the training rows lacked has no column: its probability is 0.
  const columns = classes.map((label) => order.indexOf(label));
  return checked(rows.map((row) => columns.map((column) => (column < 0 ? 0 : row[column]))));
}

/** The model's own order of the classes when it tells, else ascending. */
async function columnOrder(model: Estimator, classes: readonly Label[]): Promise<readonly Label[]> {
  const own = model.classes_ ?? model.classes;
  if (own === undefined || own === null || typeof own === 'function') return classes;
  const length = (own as { length?: number; shape?: number[] }).shape?.[0] ?? (own as ArrayLike<unknown>).length;
  const { rows } = await resultRows(own, length, 'classes');
  return rows.map(([value]) => {
    const label = classOf(value, classes);
    if (label !== undefined) return label;
    throw new AdapterError(sentence('The classes of the model', 'be among the classes of y', value), {
      code: 'unknown_label',
    });
  });
}

/** @param from number of the class in the first column */
function checked(rows: readonly (readonly unknown[])[], from = 0): Probabilities {
  const width = rows[0].length;
  const data = new Float64Array(rows.length * width);
  rows.forEach((values, row) => {
    values.forEach((value, column) => {
      if (!(typeof value === 'number' && value >= -1e-6 && value <= 1 + 1e-6)) {
        throw new AdapterError(
          sentence(`The probability of class number ${from + column} for row ${row}`, 'be from 0 to 1', value),
          { code: 'invalid_probabilities' },
        );
      }
      data[row * width + column] = value;
    });
  });
  return { data, shape: [rows.length, width] };
}

function wrongWidth(width: number, wanted: number): AdapterError {
  return new AdapterError(
    sentence('The probabilities of the model', `have ${wanted} columns, one for each class`, { text: String(width) }),
    { code: 'output_shape' },
  );
}
