/** Makes the model of one fold from a factory or an instance, and gives back everything it held. */
import { AdapterError, messageOf, sentence, show } from '../../src/core/errors.js';
import type { FoldContext, ModelFactory } from '../../src/runner/frameworkAdapter.js';
import { adoptOptimizer, disposeOptimizer, freshOptimizer } from './optimizer.js';
import { isLayersModel, type LayersModel, type Tf } from './structures.js';

/** The weights that a model had at one moment. */
export type Weights = readonly { readonly values: Float32Array; readonly shape: number[] }[];

/** Calls the factory. `openedAt` is the number of a tensor that is older than a first model made before `build`. */
export async function modelFromFactory(
  tf: Tf,
  factory: ModelFactory,
  ctx: FoldContext,
  openedAt: number,
): Promise<LayersModel> {
  const before = newestTensorId(tf);
  const model: unknown = await factory(ctx);
  if (!isLayersModel(model)) {
    throw new AdapterError(sentence('The model factory', 'return a tf.LayersModel', model), { code: 'invalid_model' });
  }
  try {
    checkUsable(model, 'The model that the factory returned');
  } catch (error) {
    disposeModel(model);
    throw error;
  }
  const madeNow = model.weights.some((weight) => weight.val.id > before);
  adoptOptimizer(model, madeNow ? before : openedAt);
  return model;
}

/** Reads the weights of a model, which stays as it is. Refuses a model that cannot be used. */
export function weightsOf(model: LayersModel): Weights {
  checkUsable(model, 'The model that was given');
  return model.getWeights().map((weight) => ({ values: Float32Array.from(weight.dataSync()), shape: weight.shape }));
}

/** A new model with the layers and the compiled state of `instance` and with `weights`; nothing is shared. */
export async function copyOf(tf: Tf, instance: LayersModel, weights: Weights): Promise<LayersModel> {
  let copy: LayersModel;
  try {
    copy = (await tf.models.modelFromJSON(instance.toJSON(null, false) as never)) as unknown as LayersModel;
  } catch (error) {
    throw new AdapterError(
      `The model that was given cannot be copied for each fold: ${messageOf(error).split(/\.\s|\n/)[0]}. ` +
        'Pass a factory () => model instead.',
      { code: 'instance_refused', cause: error },
    );
  }
  tf.tidy(() => copy.setWeights(weights.map(({ values, shape }) => tf.tensor(values, shape))));
  if (instance.optimizer) {
    const optimizer = freshOptimizer(instance.optimizer);
    copy.compile({ optimizer, loss: instance.loss, metrics: instance.metrics });
    copy.isOptimizerOwned = true;
  }
  return copy;
}

/** Disposes the model and the optimizer that it owns, slots included. */
export function disposeModel(model: LayersModel): void {
  const optimizer = model.isOptimizerOwned ? model.optimizer : undefined;
  model.isOptimizerOwned = false; // else the model would dispose it, and then it would be disposed twice
  if (!isDisposed(model)) model.dispose();
  disposeOptimizer(optimizer);
}

const isDisposed = (model: LayersModel) => model.weights.some((weight) => weight.val.isDisposed);

/** Tensors are numbered as they are made: every later one has a larger number. */
export function newestTensorId(tf: Tf): number {
  const probe = tf.scalar(0);
  probe.dispose();
  return probe.id;
}

function checkUsable(model: LayersModel, subject: string): void {
  const refuse = (must: string, got: string, way?: string): never => {
    throw new AdapterError(sentence(subject, must, { text: got }, way), { code: 'invalid_model' });
  };
  if (model.layers.length === 0 || model.outputs.length === 0) {
    refuse('have layers, the first with an inputShape', 'a model without any');
  }
  if (isDisposed(model)) {
    refuse(
      'hold its weights',
      'a model whose weights are disposed',
      'Make every layer inside the factory: a layer used by two models is disposed with the first.',
    );
  }
  if (model.inputs.length !== 1 || model.outputs.length !== 1) {
    refuse('have one input and one output', `${model.inputs.length} and ${model.outputs.length}`);
  }
  if (model.stateful) {
    refuse('not carry state from batch to batch', `a stateful layer in ${show(model)}`);
  }
}
