import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { layerRepairs } from './kernels/repairLayers.js';
import {
  type Layer,
  type LayersModel,
  layersWithin,
  type Override,
  override,
  type SymbolicTensor,
  type Tf,
  type Variable,
} from './structures.js';

export function checkLearns(model: LayersModel): void {
  if (model.trainableWeights.length > 0) return;
  const weights = model.weights.length;
  const must = 'have a weight that is trainable';
  const got = phrase(weights === 0 ? 'a model without weights' : `${weights} weights, all of them frozen`);
  const way = 'Set `trainable` of its last layers to true.';
  throw new AdapterError(sentence('A model to be trained', must, got, way), { code: 'nothing_trainable' });
}

export const prepareLayers = (tf: Tf, model: LayersModel): (() => void) =>
  override([...frozenOverrides(model), ...layerRepairs(tf, model)]);

interface CallableLayer extends Layer {
  call(inputs: unknown, options: Record<string, unknown>): unknown;
}

/** Frozen batch normalisation leaves its moving statistics alone, as in Keras. A compiled sequential model forgets frozen weights. */
function* frozenOverrides(model: LayersModel): Generator<Override> {
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

// Layers that an engine trains wrongly without a sign, or cannot train. Found by comparing every layer type of tfjs 4.22 with
// central differences, which `gradientAudit.test.ts` repeats; for webgl and webgpu in their sources.

interface Refusal {
  readonly backends?: readonly string[];
  readonly layers: readonly string[];
  readonly why: string;
  /** Only where this holds; everywhere when left out. `rank` is that of the input, the batch counted. */
  readonly when?: (config: Record<string, unknown>, rank: number) => boolean;
}

const BROWSER = ['webgl', 'webgpu'];

const REFUSALS: readonly Refusal[] = [
  {
    layers: ['Conv1D', 'Conv2D', 'Conv3D', 'ConvLSTM2D'],
    why: 'has no dilated convolutions with strides',
    when: (config) => isDilated(config) && isAboveOne(config.strides),
  },
  { layers: ['DepthwiseConv2D'], why: 'ignores the dilationRate of this layer', when: isDilated },
  { layers: ['Conv3D'], why: 'has no dilated 3-D convolutions', when: isDilated, backends: ['tensorflow'] },
  {
    backends: ['tensorflow'],
    layers: ['DepthwiseConv2D', 'SeparableConv2D'],
    why: 'has no such convolutions with strides that differ',
    when: ({ strides }) => Array.isArray(strides) && new Set(strides).size > 1,
  },
  {
    backends: ['tensorflow'],
    layers: ['SeparableConv2D'],
    why: 'has no gradient of this layer with a dilationRate',
    when: isDilated,
  },
  {
    layers: ['SeparableConv2D'],
    why: 'adds its bias along the wrong axis where channels come first',
    when: ({ dataFormat }) => dataFormat === 'channelsFirst',
  },
  {
    layers: ['BatchNormalization'],
    // Not its gradient alone: on cpu and wasm its predictions are wrong, too.
    why: 'has no batch normalization over an axis other than the last',
    when: isNotLastAxis,
  },
  { layers: ['BatchNormalization'], why: 'has no batch normalization of volumes', when: (_, rank) => rank > 4 },
  { layers: ['Softmax'], why: 'has no softmax over an axis other than the last', when: isNotLastAxis },
  { layers: ['Resizing', 'RandomWidth'], why: 'cannot resize images inside a model' },
  { layers: ['CenterCrop'], why: 'overwrites the shape of its input' },
  {
    backends: ['cpu', ...BROWSER],
    layers: ['Conv3D', 'Conv3DTranspose', 'MaxPooling3D', 'AveragePooling3D'],
    why: "misplaces windows with padding 'same' that are smaller than their strides",
    when: (config) => config.padding === 'same' && leapsOverItsWindow(config),
  },
  {
    backends: BROWSER,
    layers: ['AveragePooling1D', 'AveragePooling2D', 'AveragePooling3D'],
    why: "has a wrong gradient of average pooling with padding 'same'",
    when: ({ padding }) => padding === 'same',
  },
];

export function refusals(model: LayersModel, backend: string): string[] {
  const found: string[] = [];
  const wrappers = new Map<Layer, Layer>();
  for (const layer of layersWithin(model)) {
    if (layer.layer) wrappers.set(layer.layer, layer); // which comes before what it wraps
    const refusal = REFUSALS.find((each) => concerns(each, layer, backend, wrappers));
    if (refusal) found.push(`the ${layer.getClassName()} layer '${nameText(layer.name)}', since it ${refusal.why}`);
  }
  return found;
}

export function checkBackendTrains(model: LayersModel, backend: string): void {
  const [first] = refusals(model, backend);
  if (!first) return;
  const able = ['cpu', 'wasm', 'tensorflow'].filter((other) => refusals(model, other).length === 0);
  const way =
    able.length > 0
      ? `Use the backend ${able.map((name) => `'${name}'`).join(' or ')} in adapterOptions.`
      : 'No other backend can, so use another layer.';
  throw new AdapterError(`The ${backend} backend cannot train ${first}. ${way}`, { code: 'untrainable_layer' });
}

function concerns(
  { backends, layers, when }: Refusal,
  layer: Layer,
  backend: string,
  wrappers: ReadonlyMap<Layer, Layer>,
): boolean {
  if (!layers.includes(layer.getClassName()) || (backends && !backends.includes(backend))) return false;
  return !when || when(layer.getConfig(), rankOf(layer, wrappers));
}

interface BuiltLayer extends Layer {
  readonly inboundNodes?: readonly { readonly inputTensors: readonly SymbolicTensor[] }[];
  readonly inputSpec?: readonly { readonly ndim?: number }[] | null;
}

/** Of the input of a layer, the batch counted. 0 where tfjs does not say: nothing is refused for it. */
function rankOf(layer: BuiltLayer, wrappers: ReadonlyMap<Layer, Layer>): number {
  const rank = layer.inboundNodes?.[0]?.inputTensors[0].shape.length ?? layer.inputSpec?.[0]?.ndim;
  if (rank !== undefined) return rank;
  const wrapper = wrappers.get(layer);
  return wrapper ? Math.max(0, rankOf(wrapper, wrappers) - 1) : 0; // of TimeDistributed: without the steps
}

function isAboveOne(sizes: unknown): boolean {
  return [sizes].flat().some((size) => Number(size) > 1);
}

function isDilated({ dilationRate }: Record<string, unknown>): boolean {
  return isAboveOne(dilationRate);
}

function isNotLastAxis({ axis }: Record<string, unknown>, rank: number): boolean {
  return rank > 0 && ![-1, rank - 1].includes([axis].flat()[0] as number);
}

function leapsOverItsWindow({ strides, kernelSize, poolSize }: Record<string, unknown>): boolean {
  const window = [kernelSize ?? poolSize].flat() as number[];
  return ([strides].flat() as number[]).some((stride, axis) => stride > window[axis]);
}
