/** Layers that do not train: `trainable = false`, by themselves or through a model that holds them. */
import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { layerRepairs } from './kernels/repairLayers.js';
import { type Override, override } from './overrides.js';
import type { Layer, LayersModel, Tf, Variable } from './structures.js';

/** Throws {@link AdapterError} for a model in which nothing can be learnt. */
export function checkLearns(model: LayersModel): void {
  if (model.trainableWeights.length > 0) return;
  const weights = model.weights.length;
  throw new AdapterError(
    sentence(
      'A model to be trained',
      'have a weight that is trainable',
      phrase(weights === 0 ? 'a model without weights' : `${weights} weights, all of them frozen`),
      'Set `trainable` of its last layers to true.',
    ),
    { code: 'nothing_trainable' },
  );
}

/**
 * Makes `model` ready to train: frozen layers stay as they are, and layers that tfjs cannot differentiate get their
 * gradients. What it returns puts everything back.
 */
export const prepareLayers = (tf: Tf, model: LayersModel): (() => void) =>
  override([...frozenOverrides(model), ...layerRepairs(tf, model)]);

interface CallableLayer extends Layer {
  call(inputs: unknown, options: Record<string, unknown>): unknown;
}

/**
 * While these are in place, what is frozen stays as it is, bit for bit. Frozen batch normalisation uses its moving
 * statistics and leaves them alone, as in Keras; tfjs normalises by the batch and moves them. And no optimizer sees a
 * frozen weight: a sequential model that begins with a frozen one forgets, once compiled, that it is frozen.
 */
export function* frozenOverrides(model: LayersModel): Generator<Override> {
  for (const layer of frozenLayers(model, !model.trainable)) {
    if (layer.getClassName() !== 'BatchNormalization') continue;
    const { call } = layer as CallableLayer;
    const predict: typeof call = (inputs, options) => call.call(layer, inputs, { ...options, training: false });
    yield { target: layer, properties: { call: predict } };
  }
  const learning = new Set(model.trainableWeights.map((weight) => weight.read()));
  for (const { val } of model.weights) {
    const variable = val as Variable;
    if (variable.trainable && !learning.has(variable)) yield { target: variable, properties: { trainable: false } };
  }
}

function* frozenLayers(model: Layer, frozen: boolean): Generator<Layer> {
  for (const inner of insideOf(model)) {
    const still = frozen || !inner.trainable;
    if (still) yield inner;
    yield* frozenLayers(inner, still);
  }
}

const insideOf = ({ layers = [], layer }: Layer): readonly Layer[] => (layer ? [...layers, layer] : layers);

/** Lets `to`, a model of the same layers, freeze what `from` freezes: the JSON of tfjs forgets it of inner models. */
export function copyTrainable(from: Layer, to: Layer): void {
  for (const [source, copy] of pairs(from, to)) copy.trainable = source.trainable;
  // To freeze a model also marks the weights in it, and to free it again does not always unmark them.
  for (const [source, copy] of pairs(from, to)) {
    ownWeights(copy).forEach((weight, at) => {
      weight.trainable = ownWeights(source)[at].trainable;
    });
  }
}

function* pairs(from: Layer, to: Layer): Generator<[Layer, Layer]> {
  yield [from, to];
  const copies = insideOf(to);
  for (const [at, inner] of insideOf(from).entries()) yield* pairs(inner, copies[at]);
}

const ownWeights = (layer: Layer): { trainable: boolean }[] =>
  (layer as { _trainableWeights?: { trainable: boolean }[] })._trainableWeights ?? [];
