/**
 * Layers that an engine trains wrongly without a sign, or cannot train. They are refused by name before the first
 * epoch. Each row was found by comparing the gradients of the cpu and wasm backends of tfjs 4.22 with each other and,
 * where they differ, with central differences; `refusals.test.ts` repeats that.
 */
import { AdapterError } from '../../src/core/errors.js';
import { type Layer, type LayersModel, layersWithin } from './structures.js';

interface Refusal {
  readonly layers: readonly string[];
  readonly why: string;
  /** Only where this holds; everywhere when left out. */
  readonly when?: (config: Record<string, unknown>) => boolean;
}

const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  wasm: [
    { layers: ['DepthwiseConv2D', 'SeparableConv2D'], why: 'has no gradient of depthwise convolutions' },
    { layers: ['Embedding'], why: 'has no gradient of embeddings' },
    { layers: ['Conv3D', 'Conv3DTranspose'], why: 'has a wrong gradient of 3-D convolutions' },
    { layers: ['MaxPooling3D'], why: 'takes 0 for the maximum of negative numbers in 3-D max pooling' },
    {
      layers: ['Conv1D', 'Conv2D', 'Conv2DTranspose'],
      why: "misplaces the windows of a convolution with padding 'same' whose strides are larger than its kernel",
      when: leapsOverItsKernel,
    },
  ],
  cpu: [
    { layers: ['UpSampling2D'], why: 'has a wrong gradient of up-sampling for every image of a batch but the first' },
  ],
};

/** Reasons why `backend` must not train `model`, one per layer; none when it may. */
export function refusals(model: LayersModel, backend: string): string[] {
  const found: string[] = [];
  for (const layer of layersWithin(model)) {
    const refusal = REFUSALS[backend]?.find((each) => concerns(each, layer));
    if (refusal) found.push(`the ${layer.getClassName()} layer '${layer.name}', since it ${refusal.why}`);
  }
  return found;
}

/** Throws {@link AdapterError} that names the first layer that `backend` must not train, and where it can be trained. */
export function checkTrainable(model: LayersModel, backend: string): void {
  const [first] = refusals(model, backend);
  if (!first) return;
  const other = backend === 'wasm' ? 'cpu' : 'wasm';
  const able = refusals(model, other).length > 0 ? "'tensorflow'" : `'${other}' or 'tensorflow'`;
  throw new AdapterError(`The ${backend} backend cannot train ${first}. Use the backend ${able} in adapterOptions.`, {
    code: 'untrainable_layer',
  });
}

/** True when the model convolves, which is where tfjs-node pays off. */
export function convolves(model: LayersModel): boolean {
  return [...layersWithin(model)].some((layer) => /Conv/.test(layer.getClassName()));
}

function concerns({ layers, when }: Refusal, layer: Layer): boolean {
  return layers.includes(layer.getClassName()) && (!when || when(layer.getConfig()));
}

function leapsOverItsKernel({ padding, strides, kernelSize }: Record<string, unknown>): boolean {
  const kernel = kernelSize as number[];
  return padding === 'same' && (strides as number[]).some((stride, axis) => stride > kernel[axis] && kernel[axis] > 1);
}
