import { AdapterError, messageOf, phrase, sentence, show } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { FoldContext, ModelFactory, WeightSnapshot } from '../../src/runner/frameworkAdapter.js';
import { shapeText } from '../inputs.js';
import { checkGraphUsable, type GraphModel, isGraphModel } from './graphModel.js';
import { copyTrainable } from './layers.js';
import { freeingOnError, LAYERS_INSIDE, readValues } from './memory.js';
import { adoptOptimizer, disposeOptimizer, freshOptimizer, lastIdBefore, tensorsOf } from './optimizer.js';
import {
  isLayersModel,
  type Layer,
  type LayersModel,
  layersWithin,
  type Tensor,
  type Tf,
  type Variable,
} from './structures.js';

export type Weights = readonly { readonly values: Float32Array; readonly shape: number[] }[];

export async function modelFromFactory(
  tf: Tf,
  factory: ModelFactory,
  ctx: FoldContext,
): Promise<LayersModel | GraphModel> {
  const before = newestTensorId(tf);
  const model = await freeingOnError(tf, async () => usable(await factory(ctx)));
  if (isGraphModel(model)) return model;
  const isNew = model.weights.some((weight) => weight.val.id > before);
  if (isNew) adoptOptimizer(model, before);
  return model;
}

function usable(model: unknown): LayersModel | GraphModel {
  const subject = 'The model that the factory returned';
  if (isGraphModel(model)) {
    checkGraphUsable(model, subject);
    return model;
  }
  if (!isLayersModel(model)) {
    const must = 'return a tf.LayersModel or a tf.GraphModel';
    throw new AdapterError(sentence('The model factory', must, model), { code: 'invalid_model' });
  }
  try {
    checkUsable(model, subject);
  } catch (error) {
    disposeModel(model);
    throw error;
  }
  return model;
}

export async function readWeights(tf: Tf, model: LayersModel): Promise<Weights> {
  checkUsable(model, 'The model that was given');
  const read = async (weight: Tensor) => ({
    values: Float32Array.from(await readValues(tf, weight)),
    shape: weight.shape,
  });
  return Promise.all(model.getWeights().map(read));
}

/** Weights that begin at 0 (those of a forget gate at 1), whatever draws the others. */
const AT_REST = /\/(?:bias|beta|moving_mean)(?:_\d+)?$/;

/** Every bias, shift and moving mean is as it began: training would have moved some. False where there are none of these. */
export function isUntrained(model: LayersModel, weights: Weights): boolean {
  const resting = weights.filter((_, at) => AT_REST.test(model.weights[at].originalName));
  return resting.length > 0 && resting.every(({ values }) => values.every((value) => value === 0 || value === 1));
}

export async function copyForFold(tf: Tf, instance: LayersModel, weights: Weights): Promise<LayersModel> {
  const before = newestTensorId(tf);
  let copy: LayersModel;
  try {
    copy = (await tf.models.modelFromJSON(instance.toJSON(null, false) as never)) as unknown as LayersModel;
  } catch (error) {
    const why = messageOf(error).split(/\.\s|\n/)[0];
    throw new AdapterError(
      `The model that was given cannot be copied for each fold: ${why}. Pass a factory () => model instead.`,
      { code: 'instance_refused', cause: error },
    );
  }
  lastIdBefore.set(copy, before);
  copyTrainable(instance, copy); // before the weights, whose order depends on it
  // Not `setWeights`: where layers are frozen, a sequential model takes them in another order than it gives them.
  tf.tidy(() => {
    for (const [at, { val }] of copy.weights.entries()) {
      (val as Variable).assign(tf.tensor(weights[at].values, weights[at].shape));
    }
  });
  if (instance.optimizer) {
    const optimizer = freshOptimizer(instance.optimizer);
    copy.compile({ optimizer, loss: instance.loss, metrics: instance.metrics });
    copy.isOptimizerOwned = true;
  }
  return copy;
}

export function disposeModel(model: LayersModel | GraphModel): void {
  if (isGraphModel(model)) {
    model.dispose();
    return;
  }
  const optimizer = model.isOptimizerOwned ? model.optimizer : undefined;
  model.isOptimizerOwned = false; // else the model would dispose it, and then it would be disposed twice
  const layers = [...ownLayers(model)]; // read before, because disposing takes the nodes apart
  if (!isDisposed(model)) model.dispose();
  // tfjs 4.22 keeps a layer that the model applies more than once.
  for (const { weights } of layers) for (const { val } of weights) if (!val.isDisposed) val.dispose();
  disposeOptimizer(optimizer);
}

interface Applied extends Layer {
  readonly weights: readonly { readonly val: Tensor }[];
  readonly inboundNodes: readonly { readonly outputShapes?: readonly (readonly (number | null)[])[] }[];
}

/** Layers that this model alone applies: one that another model applies too is not given up with this one. */
function* ownLayers(model: Layer & { readonly model?: Layer }): Generator<Applied> {
  const { containerNodes } = (model.model ?? model) as { containerNodes?: ReadonlySet<string> };
  for (const layer of (model.layers ?? []) as readonly Applied[]) {
    // The first node of a model inside is its own.
    const applied = layer.inboundNodes.map((_, place) => place).slice(layer.layers ? 1 : 0);
    if (!applied.every((place) => containerNodes?.has(`${layer.name}_ib-${place}`))) continue;
    if (layer.layers) yield* ownLayers(layer);
    else yield layer;
  }
}

const isDisposed = (model: LayersModel) => model.weights.some((weight) => weight.val.isDisposed);

/** Tensors are numbered as they are made: every later one has a larger number. */
export function newestTensorId(tf: Tf): number {
  const probe = tf.scalar(0);
  probe.dispose();
  return probe.id;
}

export function checkUsable(model: LayersModel, subject: string): void {
  const refuse = (must: string, got: string, way?: string): never => {
    throw new AdapterError(sentence(subject, must, phrase(got), way), { code: 'invalid_model' });
  };
  if (model.layers.length === 0 || model.outputs.length === 0) {
    refuse('have layers, the first with an inputShape', 'a model without any');
  }
  const empty = [...layersWithin(model)].find((layer) => sizesOf(layer).includes(0));
  if (empty) {
    const layer = `the ${empty.getClassName()} layer '${nameText(empty.name)}'`;
    const way = 'The channels of images come last: [height, width, channels]. Pool less, or use larger images.';
    refuse('have no output of size 0', `${layer} with the output shape ${shapeText(sizesOf(empty))}`, way);
  }
  if (isDisposed(model)) {
    refuse('hold its weights', 'a model whose weights are disposed', LAYERS_INSIDE);
  }
  if (tensorsOf(model.optimizer).some((tensor) => tensor.isDisposed)) {
    refuse('hold its optimizer', 'a model whose optimizer is disposed', 'Compile it again.');
  }
  if (model.stateful) refuse('not carry state from batch to batch', `a stateful layer in ${show(model)}`);
}

/** Of the first output of a layer; the batch is null. */
const sizesOf = (layer: Layer): readonly (number | null)[] =>
  (layer as Partial<Applied>).inboundNodes?.[0]?.outputShapes?.[0] ?? [];

/** Clones share the numbers of their variables until these get others; on wasm they are copies. */
export function snapshot(model: LayersModel): WeightSnapshot {
  const clones = model.weights.map(({ val }) => ({ variable: val as Variable, clone: val.clone() }));
  return {
    restore() {
      if (clones.some(({ clone }) => clone.isDisposed)) {
        const must = 'be restored before it is released';
        const got = phrase('one that was released');
        throw new AdapterError(sentence('A snapshot of weights', must, got), { code: 'snapshot_released' });
      }
      // Not `setWeights`: it applies constraints anew, which need not give the same bits.
      for (const { variable, clone } of clones) variable.assign(clone);
    },
    release() {
      for (const { clone } of clones) clone.dispose();
    },
  };
}
