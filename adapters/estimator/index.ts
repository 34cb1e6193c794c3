/**
 * The adapter for models with `fit` or `train` and `predict`: scikit-learn style (scikitjs, own classes) and mljs, sync
 * or async.
 */
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import { deriveSeed } from '../../src/core/random.js';
import { recordOf } from '../../src/core/recorded.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import { copyInstance } from '../../src/data/copyInstance.js';
import type { Labels } from '../../src/data/labels.js';
import type { Rows } from '../../src/data/rows.js';
import type { Batch, FitOptions, FrameworkAdapter, ModelPlace } from '../../src/runner/frameworkAdapter.js';
import { rowWeights } from '../rowWeights.js';
import { estimatorOptions, loadEstimator, saveEstimator } from './json.js';
import { labelsFrom, numbersFrom } from './predictions.js';
import { boosts, givesProbabilities, probabilitiesFrom } from './probabilities.js';
import { classNameOf, type Estimator, isEstimator, readsNoRows } from './structures.js';

/** Seed of the fold that a model was fitted in, for models that draw when they predict. */
const seeds = new WeakMap<object, number>();

/**
 * `y` reaches the model as the caller wrote it, `X` as (nested) arrays or records. While `fit` and
 * `predict` run, `Math.random` is seeded, so what they draw is reproducible. A model that takes its data in the constructor (mljs `KNN`) has
 * neither `fit` nor `train`: wrap it in an object that makes it in `fit`.
 */
export const estimatorAdapter: FrameworkAdapter<Estimator> = {
  name: 'estimator',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: true },
  matches: isEstimator,
  notTrainedBecause: (model) =>
    isEstimator(model) && readsNoRows(model.fit ?? model.train) ? 'its fit reads none of the training rows' : undefined,
  nameOf: classNameOf,
  givesBoth: givesProbabilities,
  async open(options) {
    const { fromJSON } = estimatorOptions.resolve(options);
    const adapter = fromJSON && { ...estimatorAdapter, load: (where: ModelPlace) => loaded(where, fromJSON) };
    return { info: {}, ...(adapter ? { adapter } : {}), close: async () => undefined };
  },
  /** What `toJSON` of the model gives, in a file of the directory `where`. */
  save: (model, where) => saveEstimator(model, where, seeds.get(model) ?? 0),
  load: (where) => loaded(where),
  async build(source, ctx) {
    if (typeof source !== 'function') return copyOf(source);
    const model: unknown = await source(ctx);
    if (isEstimator(model)) return model;
    throw new AdapterError(
      sentence('The model factory', 'return a model with predict (or predictProba) and fit or train', model),
      {
        code: 'invalid_model',
      },
    );
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
      const { classes, positive } = train.y;
      if (!model.takesPositive || positive === undefined) return model.fit(X, y, ...more);
      return model.fit(X, y, more[0] ?? null, classes[positive]);
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
    if (facts.task === 'regression') return { values: await numbersFrom(await predicted(), X.length) };
    const values =
      labels && model.predict && !boosts(model) ? await labelsFrom(await predicted(), X.length, facts) : undefined;
    const found = await probabilitiesFrom(model, rows, { ...facts, n: X.length });
    if (found) return { ...found, ...(values ? { values } : {}) };
    return { values: values ?? (await labelsFrom(await predicted(), X.length, facts)) };
  },
  dispose(model) {
    if (model.free) model.free();
    else model.dispose?.();
  },
};

/** A saved model, which draws when it predicts what it drew before. */
async function loaded(where: ModelPlace, fromJSON?: (json: unknown) => unknown): Promise<Estimator> {
  const { model, seed } = await loadEstimator(where, fromJSON);
  seeds.set(model, seed);
  return model;
}

/**
 * Trains a model of a library that has `train`. Those of mljs compute with labels: false and true become 0 and 1, which stay
 * unseen else and give a forest that knows nothing; a failure on other labels that are no class numbers says so.
 */
async function trained(model: Estimator, X: unknown[], y: Labels, more: number[][]): Promise<unknown> {
  const labels = y.toArray().map((label) => (typeof label === 'boolean' ? Number(label) : label));
  const odd = y.classes.some((label) => typeof label === 'string' || Number(label) < 0);
  try {
    return await model.train?.(X, labels, ...more);
  } catch (error) {
    if (!odd || error instanceof CVKitError) throw error;
    throw new AdapterError(
      `The \`train\` of the model threw: ${messageOf(error)}. Labels of y are texts or negative, which many libraries with \`train\` do not take: pass them as 0, 1, 2, ....`,
      { code: 'fit_failed', cause: error },
    );
  }
}

/** Rows as the model takes them: lists, or a block of numbers where it says so. */
async function rowsFor({ takesDense }: Estimator, X: Rows): Promise<unknown[]> {
  if (!takesDense) return X.toArrays();
  const rows: unknown = await X.toDense(); // what the model says that it takes
  return rows as unknown[];
}

/** A copy of an instance for one fold. */
async function copyOf(model: unknown): Promise<Estimator> {
  if (isEstimator(model)) return copyInstance(model, { noun: 'model', is: isEstimator });
  throw new AdapterError(sentence('The model', 'have predict (or predictProba) and fit or train', model), {
    code: 'invalid_model',
  });
}

/** `sampleWeight` goes to `fit` as its third argument, and only to a `fit` that has one. */
function weightsFor(model: Estimator, train: Batch, { classWeight }: FitOptions): Float64Array | undefined {
  const weights = rowWeights(train, classWeight);
  if (!weights) return undefined;
  const [method, name] = model.fit ? [model.fit, 'fit'] : [model.train, 'train'];
  if (method && method.length >= 3) return weights;
  const option = train.sampleWeight ? 'sampleWeight' : 'classWeight';
  throw new AdapterError(
    sentence(
      'The model',
      `have ${name}(X, y, sampleWeight) to use \`${option}\``,
      phrase(`a ${name} with ${method?.length ?? 0} parameters, which cannot use sampleWeight`),
      `Leave \`${option}\` out.`,
    ),
    { code: 'no_sample_weight' },
  );
}
