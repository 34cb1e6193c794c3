/**
 * Layers that an engine trains wrongly without a sign, or cannot train. They are refused by name before the first
 * epoch. The rows were found by comparing outputs and gradients of every layer type of tfjs 4.22 with central
 * differences; `gradientAudit.test.ts` repeats that on cpu, wasm and tensorflow, and fails for a row too few and for a
 * row too many. What is said of webgl and webgpu is read from their sources.
 */

import { AdapterError } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { type Layer, type LayersModel, layersWithin, type SymbolicTensor } from './structures.js';

interface Refusal {
  /** Every backend when left out. */
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
    when: (config) => isDilated(config) && hasStrides(config),
  },
  { layers: ['DepthwiseConv2D'], why: 'ignores the dilationRate of this layer', when: isDilated },
  { layers: ['Conv3D'], why: 'has no dilated 3-D convolutions', when: isDilated, backends: ['tensorflow'] },
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
  {
    layers: ['BatchNormalization'],
    why: 'has no batch normalization of volumes',
    when: (_, rank) => rank > 4,
  },
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

/** Reasons why `backend` must not train `model`, one per layer; none when it may. */
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

/** Throws {@link AdapterError} that names the first layer that `backend` must not train, and where it can be trained. */
export function checkTrainable(model: LayersModel, backend: string): void {
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
  /** None inside a wrapper. */
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

function isDilated({ dilationRate }: Record<string, unknown>): boolean {
  return [dilationRate].flat().some((rate) => Number(rate) > 1);
}

function hasStrides({ strides }: Record<string, unknown>): boolean {
  return [strides].flat().some((stride) => Number(stride) > 1);
}

function isNotLastAxis({ axis }: Record<string, unknown>, rank: number): boolean {
  return rank > 0 && ![-1, rank - 1].includes([axis].flat()[0] as number);
}

function leapsOverItsWindow({ strides, kernelSize, poolSize }: Record<string, unknown>): boolean {
  const window = [kernelSize ?? poolSize].flat() as number[];
  return ([strides].flat() as number[]).some((stride, axis) => stride > window[axis]);
}
