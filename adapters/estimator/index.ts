/**
 * The adapter for models with `fit` or `train` and `predict`: scikit-learn style (scikitjs, own classes) and mljs, sync
 * or async.
 */
import { AdapterError, InvalidOptionError, sentence } from '../../src/core/errors.js';
import { withSeededRandom } from '../../src/core/random.js';
import type { Batch, FitOptions, FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { rowWeights } from '../rowWeights.js';
import { copyOf } from './copy.js';
import { labelsFrom, numbersFrom } from './predictions.js';
import { probabilitiesFrom } from './probabilities.js';
import { type Estimator, isEstimator } from './structures.js';

/**
 * `y` reaches the model as the caller wrote it, `X` as (nested) arrays or records. While `fit` runs, `Math.random` is
 * seeded, so synchronous training is reproducible. A model that takes its data in the constructor (mljs `KNN`) has
 * neither `fit` nor `train`: wrap it in an object that makes it in `fit`.
 */
export const estimatorAdapter: FrameworkAdapter<Estimator> = {
  name: 'estimator',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
  matches: isEstimator,
  async build(source, ctx) {
    if (typeof source !== 'function') return copyOf(source);
    const model: unknown = await source(ctx);
    if (isEstimator(model)) return model;
    throw new AdapterError(sentence('The model factory', 'return a model with predict and fit or train', model), {
      code: 'invalid_model',
    });
  },
  async fit(model, train, options) {
    refuseIdleOptions(options);
    options.signal?.throwIfAborted();
    const weights = weightsFor(model, train, options);
    const X = await train.X.toArrays();
    const y = train.y.toArray();
    await withSeededRandom(options.seed, () => {
      const more = weights ? [Array.from(weights)] : [];
      return model.fit ? model.fit(X, y, ...more) : model.train?.(X, y, ...more);
    });
    return { epochs: [] };
  },
  async predict(model, X, facts) {
    const rows = await X.toArrays();
    const predicted = await model.predict(rows);
    if (facts.task === 'regression') return { values: await numbersFrom(predicted, rows.length) };
    const values = await labelsFrom(predicted, rows.length, facts);
    const probabilities = await probabilitiesFrom(model, rows, facts);
    return { values, ...(probabilities ? { probabilities } : {}) };
  },
  dispose(model) {
    if (model.free) model.free();
    else model.dispose?.();
  },
};

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
      { text: `a ${name} with ${method?.length ?? 0} parameters, which cannot use sampleWeight` },
      `Leave \`${option}\` out.`,
    ),
    { code: 'no_sample_weight' },
  );
}

function refuseIdleOptions({ optimizer, lossFn }: FitOptions): void {
  for (const [name, value] of Object.entries({ optimizer, lossFn })) {
    if (value === undefined) continue;
    throw new InvalidOptionError(
      `The \`${name}\` option has no effect: a model with fit and predict brings its own. Leave it out.`,
      { code: 'idle_option' },
    );
  }
}
