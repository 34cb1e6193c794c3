/** Class probabilities from the several ways in which models give them, with classes in ascending order. */
import { AdapterError, kindOf, phrase, sentence } from '../../src/core/errors.js';
import { isTensor } from '../../src/data/dense.js';
import type { Label } from '../../src/data/labels.js';
import { oneColumnCode } from '../../src/data/positiveCode.js';
import type { LabelFacts, Predictions } from '../../src/runner/frameworkAdapter.js';
import { checkMask, classOf, type ResultRows, resultRows } from './predictions.js';
import type { Estimator } from './structures.js';

/** Probabilities, and `classes` where the model tells the order of its columns. */
type Found = Required<Pick<Predictions, 'probabilities'>> & Pick<Predictions, 'classes'>;

/** Whether the model has one of the ways to probabilities that {@link probabilitiesFrom} knows. */
export const givesProbabilities = (model: Estimator): boolean =>
  Boolean(model.predictProba ?? model.predict_proba ?? model.predictionValues) ||
  tellsByLabel(model) ||
  estimates(model) ||
  boosts(model) !== undefined;

const tellsByLabel = ({ predictProbability }: Estimator) => (predictProbability?.length ?? 0) >= 2;

/** libsvm-js made with `probabilityEstimates`. */
const estimates = ({ predictProbability, options }: Estimator): boolean =>
  predictProbability?.length === 1 && Boolean(options?.probabilityEstimates);

/** ml-xgboost with an objective of probabilities, which `predict` gives: of the second class, or of each. */
export const boosts = ({ train, options }: Estimator): 'second' | 'each' | undefined =>
  train && options?.objective === 'binary:logistic'
    ? 'second'
    : train && options?.objective === 'multi:softprob'
      ? 'each'
      : undefined;

/**
 * Probabilities `[n, classes]`, or undefined when the model gives none. They come from `predictProba(X)` (also spelt
 * `predict_proba`), where one column is P(positive) and stays `[n, 1]`; from the votes of the trees in mljs forests; or from mljs
 * `predictProbability(X, label)`, label by label.
 */
export async function probabilitiesFrom(
  model: Estimator,
  X: unknown[],
  { n = X.length, ...facts }: LabelFacts & { readonly n?: number },
): Promise<Found | undefined> {
  if (model.predictProba ?? model.predict_proba) {
    const result = await (model.predictProba ? model.predictProba(X) : model.predict_proba?.(X));
    return fromRows(model, await resultRows(result, n, 'probabilities'), facts);
  }
  const { task, classes } = facts;
  if (task === 'multilabel') return undefined;
  // predictProbability of ml-random-forest 2.1 loses the vote of the first tree (its sum has no start value).
  if (model.predictionValues) {
    const { rows } = await resultRows(await model.predictionValues(X), X.length, 'votes');
    return { probabilities: checked(rows.map((votes) => classes.map((label) => share(votes, label)))), classes };
  }
  if (tellsByLabel(model)) return labelByLabel(model, X, facts);
  if (estimates(model)) return fromEstimates(model, X, facts);
  const boosted = boosts(model);
  if (boosted) {
    const { rows } = await resultRows(await model.predict?.(X), X.length, 'probabilities');
    const each = boosted === 'each' ? rows : rows.map(([p]) => [1 - (p as number), p]);
    if (each[0].length !== classes.length) throw wrongWidth(each[0].length, classes.length);
    return { probabilities: checked(each), classes };
  }
  return undefined;
}

const share = (votes: readonly unknown[], label: Label) =>
  votes.filter((vote) => classOf(vote, [label]) !== undefined).length / votes.length;

async function labelByLabel(model: Estimator, X: unknown[], { classes }: LabelFacts): Promise<Found> {
  const columns: unknown[][] = [];
  for (const label of classes) {
    // As it was trained: false and true are 0 and 1.
    const asked = typeof label === 'boolean' ? Number(label) : label;
    const { rows } = await resultRows(await model.predictProbability?.(X, asked), X.length, 'probabilities');
    columns.push(rows.map(([value]) => value));
  }
  return { probabilities: checked(X.map((_, row) => columns.map((column) => column[row]))), classes };
}

/** The estimates of libsvm-js: a list of labels with their probabilities for each row. */
async function fromEstimates(model: Estimator, X: unknown[], { classes }: LabelFacts): Promise<Found> {
  const found = (await model.predictProbability?.(X)) as {
    readonly estimates: readonly { readonly label: unknown; readonly probability: number }[];
  }[];
  const rows = found.map((row) =>
    classes.map((label) => row.estimates.find((each) => classOf(each.label, [label]) !== undefined)?.probability ?? 0),
  );
  return { probabilities: checked(rows), classes };
}

async function fromRows(model: Estimator, found: ResultRows, facts: LabelFacts): Promise<Found> {
  const { task, classes } = facts;
  const { rows, width } = found;
  if (task === 'multilabel') {
    checkMask('probabilities', found, facts);
    if (width !== classes.length) throw wrongWidth(width, classes.length);
    return { probabilities: checked(rows) };
  }
  if (task === 'binary' && width === 1) return { probabilities: checked(rows, oneColumnCode(facts)) };
  const own = await ownOrder(model, classes);
  const order = own ?? classes;
  if (width !== order.length) throw wrongWidth(width, order.length);
  // A class that the training rows lacked has no column: its probability is 0.
  const columns = classes.map((label) => order.indexOf(label));
  const probabilities = checked(rows.map((row) => columns.map((column) => (column < 0 ? 0 : row[column]))));
  return { probabilities, ...(own ? { classes } : {}) };
}

/** The model's own order of the classes, when it tells. */
async function ownOrder(model: Estimator, classes: readonly Label[]): Promise<readonly Label[] | undefined> {
  // scikitjs keeps the order in the encoder of its labels: that of their first appearance.
  const own = model.classes_ ?? model.classes ?? model.labelEncoder?.classes ?? model.oneHot?.categories?.[0];
  if (own === undefined || own === null || typeof own === 'function') return undefined;
  // A tensor of the model's own is read and left alone.
  const list: unknown = isTensor(own) ? Array.from(await own.data()) : own;
  const { rows } = await resultRows(list, (list as ArrayLike<unknown>).length, 'classes');
  return rows.map(([value]) => {
    const label = classOf(value, classes);
    if (label !== undefined) return label;
    throw new AdapterError(sentence('The classes of the model', 'be among the classes of y', kindOf(value)), {
      code: 'unknown_label',
    });
  });
}

/** @param from number of the class in the first column */
function checked(rows: readonly (readonly unknown[])[], from = 0): Found['probabilities'] {
  const width = rows[0].length;
  const data = new Float64Array(rows.length * width);
  rows.forEach((values, row) => {
    values.forEach((value, column) => {
      if (!(typeof value === 'number' && value >= -1e-6 && value <= 1 + 1e-6)) {
        throw new AdapterError(
          sentence(
            `The probability of class number ${from + column} for row ${row}`,
            'be from 0 to 1',
            kindOf(value, [0, 1]),
          ),
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
    sentence('The probabilities of the model', `have ${wanted} columns, one for each class`, phrase(String(width))),
    { code: 'output_shape' },
  );
}
