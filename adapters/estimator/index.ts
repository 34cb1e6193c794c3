/** Models with `fit` or `train` and `predict`: scikit-learn style (scikitjs, own classes) and mljs, sync or async. */

import { files, readText } from '#io';
import {
  AdapterError,
  CVKitError,
  InvalidOptionError,
  kindOf,
  messageOf,
  phrase,
  sentence,
  show,
  threw,
} from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { MemoryPlace } from '../../src/core/memoryPlace.js';
import { custom, isPlainObject, optionTable } from '../../src/core/options.js';
import { filePlace } from '../../src/core/pathOfPlace.js';
import { deriveSeed } from '../../src/core/random.js';
import { recordOf } from '../../src/core/recorded.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import { anyValue, checkedShape, fields, parsedJSON, text, whole } from '../../src/core/shape.js';
import { VERSION } from '../../src/core/version.js';
import { writeWhole } from '../../src/core/wholeFile.js';
import { copyInstance } from '../../src/data/copyInstance.js';
import { isTensor } from '../../src/data/dense.js';
import type { Label, Labels } from '../../src/data/labels.js';
import { hasEstimatorShape } from '../../src/data/modelShapes.js';
import { oneColumnCode } from '../../src/data/positiveCode.js';
import type { Rows } from '../../src/data/rows.js';
import { hasSeveralTargets } from '../../src/data/targets.js';
import type {
  Batch,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  LabelFacts,
  ModelPlace,
  Predictions,
} from '../../src/runner/frameworkAdapter.js';
import { classOf } from '../inputs.js';
import { rowWeights } from '../rowWeights.js';
import { checkMask, misshapen, type ResultRows, resultLabels, resultNumbers, resultRows } from './predictions.js';

export interface Estimator {
  fit?(X: unknown[], y: unknown[], sampleWeight?: number[] | null, positiveLabel?: unknown): unknown;
  train?(X: unknown[], y: unknown[], sampleWeight?: number[]): unknown;
  predict?(X: unknown[]): unknown;
  predictProba?(X: unknown[]): unknown;
  predict_proba?(X: unknown[]): unknown;
  /** mljs: the probability of one label per row. libsvm-js: estimates of all labels, with one parameter. */
  predictProbability?(X: unknown[], label?: unknown): unknown;
  /** mljs forests: the label that each tree gives, `[rows, trees]`. */
  predictionValues?(X: unknown[]): unknown;
  /** Survival: a number per row, larger for an earlier event. */
  predictRisk?(X: unknown[]): unknown;
  /** Survival: probabilities of no event by each of the times, `[rows, times]`. */
  predictSurvival?(X: unknown[], times: readonly number[]): unknown;
  readonly classes?: unknown;
  readonly classes_?: unknown;
  /** scikitjs trees and linear models: the encoders of their labels, which know the order. */
  readonly labelEncoder?: { readonly classes?: unknown };
  readonly oneHot?: { readonly categories?: readonly unknown[] };
  /** libsvm-js and ml-xgboost: what the model was made with. */
  readonly options?: { readonly probabilityEstimates?: unknown; readonly objective?: unknown };
  /** It takes rows as a block of numbers, `{ data, shape }`, in the place of lists. */
  readonly takesDense?: boolean;
  /** Its `fit` takes the positive class of a binary task, or the event of interest of a survival task, as fourth argument. */
  readonly takesPositive?: boolean;
  /** It is a classifier, which learns nothing from numbers. */
  readonly takesClasses?: boolean;
  /** Of the last fit, for the warnings of the run. */
  readonly notes?: readonly string[];
  clone?(): unknown;
  getParams?(): unknown;
  get_params?(): unknown;
  free?(): void;
  dispose?(): void;
}

/**
 * True for objects with `fit` or `train`, and `predict`, `predictProba` or `predictRisk`. False for neural networks, which have to be compiled.
 *
 * @example
 * console.log(isEstimator(new LogisticRegression()), isEstimator({ predict() {} }));
 */
export const isEstimator = (model: unknown): model is Estimator => hasEstimatorShape(model);

function classNameOf(model: unknown): string | undefined {
  const owner: unknown = typeof model === 'object' && model !== null ? model.constructor : undefined;
  return typeof owner === 'function' && owner !== Object && owner.name !== '' ? owner.name : undefined;
}

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
const ALL_ARGUMENTS = ['arguments', 'eval', 'super'];

/**
 * Its body names none of its parameters. False where the text does not tell: native and bound functions, default values.
 *
 * @hidden
 */
export function readsNoRows(fit: unknown): boolean {
  if (typeof fit !== 'function') return false;
  const text = Function.prototype.toString.call(fit);
  if (/\[native code\]/.test(text)) return false;
  const start = /^(?:async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>/u.test(text) ? 0 : text.indexOf('(');
  const end = start === 0 ? text.indexOf('=>') : closing(text, start);
  const parameters = text.slice(start, end);
  if (parameters.includes('=')) return false;
  const names = [...(parameters.match(IDENTIFIER) ?? []), ...ALL_ARGUMENTS];
  const used = new Set(text.slice(end).match(IDENTIFIER));
  return !names.some((name) => used.has(name));
}

function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

type Found = Required<Pick<Predictions, 'probabilities'>> & Pick<Predictions, 'classes'>;

const givesProbabilities = (model: Estimator): boolean =>
  Boolean(model.predictProba ?? model.predict_proba ?? model.predictionValues) ||
  tellsByLabel(model) ||
  estimates(model) ||
  boosts(model) !== undefined;

const tellsByLabel = ({ predictProbability }: Estimator) => (predictProbability?.length ?? 0) >= 2;

const estimates = ({ predictProbability, options }: Estimator): boolean =>
  predictProbability?.length === 1 && Boolean(options?.probabilityEstimates);

/** ml-xgboost with an objective of probabilities, which `predict` gives. */
const boosts = ({ train, options }: Estimator): 'second' | 'each' | undefined =>
  train && BOOSTED.get(options?.objective);
const BOOSTED = new Map<unknown, 'second' | 'each'>([
  ['binary:logistic', 'second'],
  ['multi:softprob', 'each'],
]);

/**
 * Probabilities `[n, classes]`; one column is P(positive) and stays `[n, 1]`. Undefined when the model gives none.
 *
 * @hidden
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
    checkWidth(each[0].length, classes.length);
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
    const code = typeof label === 'boolean' ? Number(label) : label;
    const { rows } = await resultRows(await model.predictProbability?.(X, code), X.length, 'probabilities');
    columns.push(rows.map(([value]) => value));
  }
  return { probabilities: checked(X.map((_, row) => columns.map((column) => column[row]))), classes };
}

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
    checkWidth(width, classes.length);
    return { probabilities: checked(rows) };
  }
  if (task === 'binary' && width === 1) return { probabilities: checked(rows, oneColumnCode(facts)) };
  const own = await ownOrder(model, classes);
  const order = own ?? classes;
  checkWidth(width, order.length);
  // A class that the training rows lacked has no column: its probability is 0.
  const columns = classes.map((label) => order.indexOf(label));
  return { probabilities: checked(rows, 0, columns), ...(own ? { classes } : {}) };
}

async function ownOrder(model: Estimator, classes: readonly Label[]): Promise<readonly Label[] | undefined> {
  const own = model.classes_ ?? model.classes ?? model.labelEncoder?.classes ?? model.oneHot?.categories?.[0];
  if (own === undefined || own === null || typeof own === 'function') return undefined;
  // A tensor of the model's own is read and left alone.
  const list: unknown = isTensor(own) ? Array.from(await own.data()) : own;
  const { rows } = await resultRows(list, (list as ArrayLike<unknown>).length, 'classes');
  return rows.map(([value]) => {
    const label = classOf(value, classes);
    if (label !== undefined) return label;
    const must = 'be among the classes of y';
    throw new AdapterError(sentence('The classes of the model', must, kindOf(value)), { code: 'unknown_label' });
  });
}

/** The probabilities in those columns, all by default; below 0 is a column that is not there. */
function checked(
  rows: readonly (readonly unknown[])[],
  from = 0,
  columns: readonly number[] = Array.from(rows[0].keys()),
): Found['probabilities'] {
  const width = columns.length;
  const data = new Float64Array(rows.length * width);
  rows.forEach((values, row) => {
    columns.forEach((place, column) => {
      const value = place < 0 ? 0 : values[place];
      if (!(typeof value === 'number' && value >= -1e-6 && value <= 1 + 1e-6)) {
        const subject = `The probability of class number ${from + column} for row ${row}`;
        const got = kindOf(value, [0, 1]);
        throw new AdapterError(sentence(subject, 'be from 0 to 1', got), { code: 'invalid_probabilities', row });
      }
      data[row * width + column] = value;
    });
  });
  return { data, shape: [rows.length, width] };
}

function checkWidth(width: number, wanted: number): void {
  if (width !== wanted) throw misshapen('probabilities', `have ${wanted} columns, one for each class`, String(width));
}

/** Seed of the fold that a model was fitted in, for models that draw when they predict. */
const seeds = new WeakMap<object, number>();

/**
 * `y` reaches the model as the caller wrote it, `X` as (nested) arrays or records. While `fit` and
 * `predict` run, `Math.random` is seeded, so what they draw is reproducible. A model that takes its data in the constructor (mljs `KNN`) has
 * neither `fit` nor `train`: wrap it in an object that makes it in `fit`.
 *
 * @example
 * // a model is an object with `fit` and `predict` or `predictProba`
 * class Threshold {
 *   fit(rows, labels) {
 *     const mean = (of) => of.reduce((sum, [first]) => sum + first, 0) / of.length;
 *     const [low, high] = [0, 1].map((label) => mean(rows.filter((_, row) => labels[row] === label)));
 *     this.cut = (low + high) / 2;
 *     this.sign = high > low ? 1 : -1;
 *   }
 *   predict(rows) {
 *     return rows.map(([first]) => Number(this.sign * (first - this.cut) > 0));
 *   }
 * }
 * const results = await runner.run({ model: () => new Threshold(), data: [X, y] });
 * console.log(results.meanScores.accuracy);
 */
export const estimatorAdapter: FrameworkAdapter<Estimator> = {
  name: 'estimator',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: true, savesToMemory: true },
  matches: isEstimator,
  notTrainedBecause: (model) =>
    isEstimator(model) && readsNoRows(model.fit ?? model.train) ? 'its fit reads none of the training rows' : undefined,
  notSavedBecause: (model) => (isEstimator(model) ? withoutJSON(model) : undefined),
  nameOf: classNameOf,
  givesBoth: givesProbabilities,
  async open(options) {
    const { fromJSON } = estimatorOptions.resolve(options);
    const adapter = fromJSON && { ...estimatorAdapter, load: (where: ModelPlace) => loadEstimator(where, fromJSON) };
    return { info: {}, ...(adapter ? { adapter } : {}), close: async () => undefined };
  },
  save: (model, where) => saveEstimator(model, where, seeds.get(model) ?? 0),
  load: (where) => loadEstimator(where),
  async build(source, ctx) {
    if (typeof source !== 'function') return ofTask(await copyOf(source), ctx);
    const model: unknown = await source(ctx);
    if (isEstimator(model)) return ofTask(model, ctx);
    const must = 'return a model with predict (or predictProba) and fit or train';
    throw new AdapterError(sentence('The model factory', must, model), { code: 'invalid_model' });
  },
  async fit(model, train, options) {
    options.signal?.throwIfAborted();
    const weights = weightsFor(model, train, options);
    const X = await rowsFor(model, train.X);
    const y = train.y.toArray();
    seeds.set(model, options.seed);
    const described = await recordOf(model); // before it has learnt anything
    await withSeededRandom(deriveSeed(options.seed, 'fit'), () => {
      const more = weights ? [Array.from(weights)] : [];
      if (!model.fit) return trained(model, X, train.y, more);
      const { task, classes, positive } = train.y;
      if (!model.takesPositive || positive === undefined) return model.fit(X, y, ...more);
      return model.fit(X, y, more[0] ?? null, task === 'survival' ? positive : classes[positive]);
    });
    return {
      epochs: [],
      model: described,
      ...(model.notes && model.notes.length > 0 ? { warnings: [...model.notes] } : {}),
    };
  },
  async predict(model, X, facts, { labels = true } = {}) {
    const rows = await rowsFor(model, X);
    const seed = deriveSeed(seeds.get(model) ?? 0, 'predict');
    const predicted = () => {
      if (model.predict) return withSeededRandom(seed, () => model.predict?.(rows));
      const must = 'have `predict` for a regression task';
      throw new AdapterError(sentence('The model', must, phrase('none')), { code: 'invalid_model' });
    };
    if (facts.task === 'survival') return timedPredictions(model, rows, facts, X.length, seed);
    if (hasSeveralTargets(facts)) {
      const { rows } = await resultRows(await predicted(), X.length, 'predictions');
      return { values: rows as number[][] };
    }
    if (facts.task === 'regression') return { values: await resultNumbers(await predicted(), X.length) };
    const values =
      labels && model.predict && !boosts(model) ? await resultLabels(await predicted(), X.length, facts) : undefined;
    const found = await probabilitiesFrom(model, rows, { ...facts, n: X.length });
    if (found) return { ...found, ...(values ? { values } : {}) };
    return { values: values ?? (await resultLabels(await predicted(), X.length, facts)) };
  },
  dispose(model) {
    if (model.free) model.free();
    else model.dispose?.();
  },
};

/** Risks, and survival at the times that are wanted where the model gives it. */
async function timedPredictions(
  model: Estimator,
  rows: unknown[],
  { classes: times }: LabelFacts,
  n: number,
  seed: number,
): Promise<Predictions> {
  if (!model.predictRisk) {
    const way = 'Give it `predictRisk(X)`, a number per row that is larger for an earlier event.';
    const message = sentence(`A ${className(model)}`, 'predict risks', phrase('no `predictRisk`'), way);
    throw new AdapterError(message, { code: 'invalid_model' });
  }
  const risk = await resultNumbers(await withSeededRandom(seed, () => model.predictRisk?.(rows)), n);
  if (!model.predictSurvival) return { risk };
  const found = await withSeededRandom(seed, () => model.predictSurvival?.(rows, times as readonly number[]));
  const { rows: curves, width } = await resultRows(found, n, 'survival');
  const data = Float64Array.from(curves.flat() as number[]);
  return { risk, survival: { data, shape: [n, width], times: times as readonly number[] } };
}

function ofTask(model: Estimator, { task }: FoldContext): Estimator {
  if (task !== 'regression' || !model.takesClasses) return model;
  const way = "Use a model of regression, or pass task: 'classification' where these numbers are classes.";
  const message = sentence(`The task of a ${className(model)}`, 'be one of classes', phrase('a regression'), way);
  throw new AdapterError(message, { code: 'invalid_model' });
}

/** Models of mljs compute with labels: false and true become 0 and 1, without which a forest knows nothing. */
async function trained(model: Estimator, X: unknown[], y: Labels, more: number[][]): Promise<unknown> {
  const labels = y.toArray().map((label) => (typeof label === 'boolean' ? Number(label) : label));
  const needsCodes = y.classes.some((label) => typeof label === 'string' || Number(label) < 0);
  try {
    return await model.train?.(X, labels, ...more);
  } catch (error) {
    if (!needsCodes || error instanceof CVKitError) throw error;
    throw new AdapterError(
      `The \`train\` of the model threw: ${messageOf(error)}. Labels of y are texts or negative, which many libraries with \`train\` do not take: pass them as 0, 1, 2, ....`,
      { code: 'fit_failed', cause: error },
    );
  }
}

async function rowsFor({ takesDense }: Estimator, X: Rows): Promise<unknown[]> {
  if (!takesDense) return X.toArrays();
  const { featureNames } = X;
  return { ...(await X.toDense()), featureNames } as unknown as unknown[]; // what the model says that it takes
}

async function copyOf(model: unknown): Promise<Estimator> {
  if (isEstimator(model)) return copyInstance(model, { noun: 'model', is: isEstimator });
  const must = 'have predict (or predictProba) and fit or train';
  throw new AdapterError(sentence('The model', must, model), { code: 'invalid_model' });
}

function weightsFor(model: Estimator, train: Batch, { classWeight }: FitOptions): Float64Array | undefined {
  const weights = rowWeights(train, classWeight);
  if (!weights) return undefined;
  const [method, name] = model.fit ? [model.fit, 'fit'] : [model.train, 'train'];
  if (method && method.length >= 3) return weights;
  const option = train.sampleWeight ? 'sampleWeight' : 'classWeight';
  const must = `have ${name}(X, y, sampleWeight) to use \`${option}\``;
  const got = phrase(`a ${name} with ${method?.length ?? 0} parameters, which cannot use sampleWeight`);
  throw new AdapterError(sentence('The model', must, got, `Leave \`${option}\` out.`), { code: 'no_sample_weight' });
}

// Models as JSON files: those of cvkit/estimators by their name, others by a function of the caller.

const estimatorOptions = optionTable('the adapter of estimators', {
  fromJSON: custom<(json: unknown) => unknown>('function', 'be a function', (v) => typeof v === 'function')
    .optional()
    .describe('Makes a saved model of another library again: (json) => RandomForestClassifier.load(json).'),
});

interface Saved {
  readonly cvkit: string;
  readonly class: string;
  readonly model: unknown;
  readonly seed: number;
}

const className = (model: object): string => nameText(classNameOf(model) ?? 'model');

/** JSON is the only way to save it. */
const withoutJSON = (model: object): string | undefined =>
  typeof (model as { toJSON?: unknown }).toJSON === 'function' ? undefined : `a ${className(model)} without \`toJSON\``;

async function saveEstimator(model: Estimator & { toJSON?(): unknown }, where: ModelPlace, seed: number) {
  const lacks = withoutJSON(model);
  if (lacks) {
    const must = 'have `toJSON`, and a way back from it';
    const got = phrase(lacks);
    throw new AdapterError(sentence('A model to save', must, got), { code: 'unable' });
  }
  const saved: Saved = { cvkit: VERSION, class: className(model), model: model.toJSON?.(), seed };
  const content = `${JSON.stringify(saved, toJSON)}\n`;
  if (where instanceof MemoryPlace) return where.write(`/${FILE}`, content);
  const directory = directoryOf(where);
  if (!files) throw new AdapterError(sentence('A model', 'be saved to files', phrase('a browser')), { code: 'unable' });
  await files.mkdir(directory, { recursive: true });
  await writeWhole(files, `${directory}/${FILE}`, content);
}

async function loadEstimator(where: ModelPlace, fromJSON?: (json: unknown) => unknown): Promise<Estimator> {
  const file = `The file ${FILE}`;
  const inMemory = where instanceof MemoryPlace ? where.text(`/${FILE}`) : undefined;
  const read = parsedJSON(inMemory ?? (await readText(`${directoryOf(where)}/${FILE}`)), file, numberFromJSON);
  const { class: name, model: json, seed } = checkedShape<Saved>(SAVED, read, file);
  const loaded = await (fromJSON
    ? (async () => fromJSON(json))().catch(threw('`fromJSON`', `make the saved ${nameText(name)}`, 'load_failed'))
    : ownEstimator(json, `A saved ${nameText(name)}`));
  if (!isEstimator(loaded)) {
    throw new AdapterError(
      sentence('`fromJSON`', 'give a model with fit (or train) and predict', phrase(show(loaded))),
    );
  }
  seeds.set(loaded, seed);
  return loaded;
}

async function ownEstimator(json: unknown, subject: string): Promise<unknown> {
  const { estimatorFromJSON, isOwnJSON } = await import('../../src/estimators/estimatorFromJSON.js');
  if (isOwnJSON(json)) return estimatorFromJSON(json);
  const way = 'Pass adapterOptions: { fromJSON: (json) => TheClass.load(json) }.';
  const must = 'be made again by its own class';
  throw new InvalidOptionError(sentence(subject, must, phrase('no `fromJSON`'), way), { code: 'unable' });
}

const FILE = 'estimator.json';

const SAVED = fields({ cvkit: text, class: text, model: anyValue, seed: whole() });

function directoryOf(where: ModelPlace): string {
  const path = filePlace(where);
  if (path !== undefined) return path;
  const got = phrase(typeof where === 'string' ? 'an address of another kind' : 'a handler');
  throw new AdapterError(sentence('The place of an estimator', 'be a path', got), { code: 'unable' });
}

/** JSON has no infinity and no NaN, which trees may hold. */
const toJSON = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? { notFinite: String(value) } : value;
const numberFromJSON = (_: string, value: unknown) =>
  isPlainObject(value) && NOT_FINITE.includes(value.notFinite) && Object.keys(value).length === 1
    ? Number(value.notFinite)
    : value;
const NOT_FINITE: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];
