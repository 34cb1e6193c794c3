import { type LayersModel, layersWithin, type Override, override, type Tensor, type Tf } from '../structures.js';
import { completeGradients } from './completeGradients.js';
import { tfjsOf } from './install.js';

/**
 * Gives layers of a model that tfjs (4.22) cannot differentiate a way that has a gradient: dilated 2-D convolutions, and
 * batch normalisation without scale or without center. What the model computes stays the same. Completes the gradients,
 * too ({@link completeGradients}).
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @param model a tf.LayersModel
 * @returns puts everything back; until then the model is ready to train
 * @throws {AdapterError} when `library` is something else
 * @example const restore = repairLayers(tf, model); await model.fit(x, y); restore();
 */
export function repairLayers(library: object, model: object): () => void {
  const tf = tfjsOf(library, 'repairLayers');
  completeGradients(tf);
  return override([...layerRepairs(tf, model as LayersModel)]);
}

/** What {@link repairLayers} puts in place. @internal */
export function* layerRepairs(tf: Tf, model: LayersModel): Generator<Override> {
  for (const layer of layersWithin(model)) {
    const properties = REPAIRS[layer.getClassName()]?.(tf, layer as never);
    if (properties) yield { target: layer, properties };
  }
}

type Repair = (tf: Tf, layer: never) => Override['properties'];

const REPAIRS: Readonly<Record<string, Repair>> = {
  Conv2D: (tf, layer: Convolution) =>
    layer.dilationRate.some((rate) => rate > 1) ? { call: plainConvolution(tf, layer) } : {},
  // Not `scale` and `center` themselves: the model may be saved while it trains.
  BatchNormalization: (tf, { scale, center, movingMean }: Normalization) => ({
    ...(!scale && { gamma: { read: () => tf.ones(movingMean.shape) } }),
    ...(!center && { beta: { read: () => tf.zeros(movingMean.shape) } }),
  }),
};

interface Weight {
  readonly shape: number[];
  read(): Tensor;
}

interface Normalization {
  readonly scale: boolean;
  readonly center: boolean;
  readonly movingMean: Weight;
}

interface Convolution {
  readonly kernel: Weight;
  readonly bias: Weight | null;
  readonly strides: [number, number];
  readonly padding: 'same' | 'valid';
  readonly dataFormat: 'channelsFirst' | 'channelsLast';
  readonly dilationRate: [number, number];
  readonly activation: { apply(x: Tensor): Tensor };
}

/** `call` by `tf.conv2d`. That of tfjs is one operation with bias and activation, which refuses dilations by itself. */
function plainConvolution(tf: Tf, layer: Convolution) {
  const { kernel, bias, strides, padding, dataFormat, dilationRate, activation } = layer;
  const isFirst = dataFormat === 'channelsFirst';
  return (inputs: Tensor | Tensor[]) =>
    tf.tidy(() => {
      const [input] = [inputs].flat();
      const x = (isFirst ? tf.transpose(input, [0, 2, 3, 1]) : input) as never;
      const y = tf.conv2d(x, kernel.read() as never, strides, padding, 'NHWC', dilationRate) as Tensor;
      const biased = bias ? tf.add(y, bias.read()) : y;
      return activation.apply(isFirst ? tf.transpose(biased, [0, 3, 1, 2]) : biased);
    });
}
