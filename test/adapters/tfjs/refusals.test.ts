import { describe, expect, it } from 'vitest';
import { checkTrainable, convolves, refusals } from '../../../adapters/tfjs/refusals.js';
import { gap, network, onBackend, tf, viewOf } from '../../helpers/tfjsModels.js';

type Layer = Parameters<tf.Sequential['add']>[0];
interface Case {
  readonly name: string;
  readonly inputShape: number[];
  readonly layer: () => Layer;
  /** Refused on wasm. */
  readonly refused: boolean;
}

const { layers: l } = tf;
const image = [7, 9, 2];
const volume = [4, 5, 4, 2];
const series = [9, 3];
const can = (name: string, inputShape: number[], layer: () => Layer): Case => ({
  name,
  inputShape,
  layer,
  refused: false,
});
const cannot = (name: string, inputShape: number[], layer: () => Layer): Case => ({
  name,
  inputShape,
  layer,
  refused: true,
});

const CASES: Case[] = [
  can('conv2d', image, () => l.conv2d({ filters: 3, kernelSize: 3, strides: 2, padding: 'same' })),
  can('conv2d with strides as large as its kernel', image, () =>
    l.conv2d({ filters: 3, kernelSize: 2, strides: 2, padding: 'same' }),
  ),
  can('conv2d of one pixel', image, () => l.conv2d({ filters: 3, kernelSize: 1, strides: 2, padding: 'same' })),
  can('conv2d without padding', image, () => l.conv2d({ filters: 3, kernelSize: 2, strides: 3 })),
  cannot('conv2d that leaps over its kernel', image, () =>
    l.conv2d({ filters: 3, kernelSize: 2, strides: 3, padding: 'same' }),
  ),
  can('conv1d', series, () => l.conv1d({ filters: 3, kernelSize: 3, strides: 2 })),
  cannot('conv1d that leaps over its kernel', series, () =>
    l.conv1d({ filters: 3, kernelSize: 2, strides: 3, padding: 'same' }),
  ),
  can('conv2dTranspose', image, () => l.conv2dTranspose({ filters: 3, kernelSize: 3, strides: 2, padding: 'same' })),
  cannot('depthwiseConv2d', image, () => l.depthwiseConv2d({ kernelSize: 3 })),
  cannot('separableConv2d', image, () => l.separableConv2d({ filters: 2, kernelSize: 3 })),
  cannot('conv3d', volume, () => l.conv3d({ filters: 2, kernelSize: 2 })),
  cannot('maxPooling3d', volume, () => l.maxPooling3d({ poolSize: 2 })),
  can('averagePooling3d', volume, () => l.averagePooling3d({ poolSize: 2 })),
  can('maxPooling2d', image, () => l.maxPooling2d({ poolSize: 2 })),
  can('maxPooling2d with windows that overlap', image, () =>
    l.maxPooling2d({ poolSize: 3, strides: 1, padding: 'same' }),
  ),
  can('maxPooling1d', series, () => l.maxPooling1d({ poolSize: 3, strides: 1 })),
  can('averagePooling2d', image, () => l.averagePooling2d({ poolSize: 3, strides: 2, padding: 'same' })),
  can('globalMaxPooling2d', image, () => l.globalMaxPooling2d({})),
  can('batchNormalization', image, () => l.batchNormalization()),
  can('layerNormalization', series, () => l.layerNormalization()),
  can('lstm', series, () => l.lstm({ units: 3 })),
  can('gru', series, () => l.gru({ units: 3 })),
  can('bidirectional', series, () =>
    l.bidirectional({ layer: l.simpleRNN({ units: 2 }) as never, mergeMode: 'concat' }),
  ),
  can('prelu', [5], () => l.prelu({ alphaInitializer: 'randomNormal' })),
];

interface Trained {
  readonly gradients: number[][];
  readonly output: number[];
}

/** Gradients of all weights and of the input, and the output, on the running backend. */
function run({ inputShape, layer }: Case): Trained | string {
  return tf.tidy(() => {
    const input = tf.input({ shape: inputShape });
    const inner = layer().apply(input) as tf.SymbolicTensor;
    const flat = inner.shape.length > 2 ? (l.flatten().apply(inner) as tf.SymbolicTensor) : inner;
    const model = tf.model({ inputs: input, outputs: l.dense({ units: 1 }).apply(flat) as tf.SymbolicTensor });
    const wave = (shape: number[], step: number, by = 0) =>
      tf
        .sin(tf.range(0, tf.util.sizeFromShape(shape)).mul(step))
        .add(by)
        .reshape(shape);
    model.setWeights(
      model.weights.map(({ originalName, shape }, at) =>
        originalName.includes('variance') ? tf.ones(shape as number[]) : wave(shape as number[], 0.7 + at / 10),
      ),
    );
    // Mostly negative: the maxima that wasm gets wrong.
    const x = tf.variable(wave([2, ...inputShape], 1.3, -1.2));
    const weights = model.trainableWeights.map((weight) => weight.read() as tf.Variable);
    try {
      const { grads } = tf.variableGrads(
        () => (model.apply(x, { training: true }) as tf.Tensor).square().mean() as tf.Scalar,
        [...weights, x],
      );
      const gradients = [...weights, x].map(({ name }) => Array.from(grads[name].dataSync()));
      return { gradients, output: Array.from((model.predict(x) as tf.Tensor).dataSync()) };
    } catch (error) {
      return (error as Error).message;
    } finally {
      x.dispose();
      model.dispose();
    }
  });
}

function agree(a: Trained | string, b: Trained | string): boolean {
  if (typeof a === 'string' || typeof b === 'string') return false;
  const close = (p: number[], q: number[]) => gap(p, q) <= 1e-4 * Math.max(1, ...p.map(Math.abs));
  return close(a.output, b.output) && a.gradients.every((gradient, at) => close(gradient, b.gradients[at]));
}

describe('what is refused on wasm is what it gets wrong', () => {
  it.each(CASES)('$name', async (each) => {
    const model = tf.sequential();
    const first = each.layer() as tf.layers.Layer;
    model.add(l.inputLayer({ inputShape: each.inputShape }));
    model.add(first);
    expect(refusals(viewOf(model), 'wasm').length > 0).toBe(each.refused);
    const cpu = await onBackend('cpu', () => run(each));
    const wasm = await onBackend('wasm', () => run(each));
    expect(cpu).not.toBeTypeOf('string');
    expect(agree(cpu, wasm)).toBe(!each.refused);
  });

  it('embeddings have no gradient', async () => {
    const model = tf.sequential({ layers: [l.embedding({ inputDim: 5, outputDim: 2, inputShape: [3] })] });
    expect(refusals(viewOf(model), 'wasm').length).toBe(1);
    const gradient = () =>
      tf.tidy(() =>
        tf
          .grad((w) => tf.gather(w, [0, 1, 1]).sum())(tf.ones([5, 2]))
          .dataSync(),
      );
    await expect(onBackend('wasm', gradient)).rejects.toThrow('UnsortedSegmentSum');
  });
});

describe('what is refused on cpu', () => {
  it('up-sampling: its gradient differs from central differences, which wasm meets', async () => {
    const layer = () => l.upSampling2d({ size: [2, 2] });
    const shape = [2, 3, 3, 1];
    const error = () => {
      const weight = tf.sin(tf.range(0, 72)).reshape([2, 6, 6, 1]);
      const loss = (x: tf.Tensor) => (layer().apply(x) as tf.Tensor).mul(weight).sum();
      const values = Array.from(tf.cos(tf.range(0, 18)).dataSync());
      const at = (list: number[]) => loss(tf.tensor(list, shape)).dataSync()[0];
      const numeric = values.map((value, i) => (at(values.with(i, value + 0.5)) - at(values.with(i, value - 0.5))) / 1);
      return gap(numeric, tf.grad(loss)(tf.tensor(values, shape)).dataSync());
    };
    expect(await onBackend('cpu', () => tf.tidy(() => [error()]))).not.toEqual([expect.closeTo(0, 3)]);
    expect(await onBackend('wasm', () => tf.tidy(() => [error()]))).toEqual([expect.closeTo(0, 3)]);
    const model = viewOf(tf.sequential({ layers: [l.upSampling2d({ inputShape: [3, 3, 2] })] }));
    expect([refusals(model, 'cpu').length, refusals(model, 'wasm').length]).toEqual([1, 0]);
  });
});

describe('checkTrainable', () => {
  const refused = (model: tf.LayersModel, backend = 'wasm') => {
    try {
      checkTrainable(viewOf(model), backend);
    } catch (error) {
      return `${(error as { code?: string }).code}: ${(error as Error).message}`;
    }
    return 'accepted';
  };

  it('accepts what can be trained', () => {
    expect(refused(network())).toBe('accepted');
    expect(refused(network(), 'tensorflow')).toBe('accepted');
  });

  it('names the layer and where it can be trained', () => {
    const words = tf.sequential({
      layers: [l.embedding({ inputDim: 5, outputDim: 2, inputShape: [3], name: 'words' })],
    });
    expect(refused(words)).toMatchInlineSnapshot(
      `"untrainable_layer: The wasm backend cannot train the Embedding layer 'words', since it has no gradient of embeddings. Use the backend 'cpu' or 'tensorflow' in adapterOptions."`,
    );
    expect(refused(words, 'cpu')).toBe('accepted');
    const up = tf.sequential({ layers: [l.upSampling2d({ inputShape: [3, 3, 2], name: 'up' })] });
    expect(refused(up, 'cpu')).toMatchInlineSnapshot(
      `"untrainable_layer: The cpu backend cannot train the UpSampling2D layer 'up', since it has a wrong gradient of up-sampling for every image of a batch but the first. Use the backend 'wasm' or 'tensorflow' in adapterOptions."`,
    );
    up.add(l.depthwiseConv2d({ kernelSize: 2, name: 'deep' }));
    expect(refused(up)).toMatchInlineSnapshot(
      `"untrainable_layer: The wasm backend cannot train the DepthwiseConv2D layer 'deep', since it has no gradient of depthwise convolutions. Use the backend 'tensorflow' in adapterOptions."`,
    );
  });

  it('looks inside models and wrappers', () => {
    const inner = tf.sequential({
      layers: [l.embedding({ inputDim: 5, outputDim: 2, inputShape: [3], name: 'words' })],
    });
    expect(refused(tf.sequential({ layers: [inner as never, l.flatten()] }))).toContain("'words'");
    const wrapped = l.timeDistributed({
      layer: l.separableConv2d({ filters: 1, kernelSize: 2, name: 'sep' }),
      inputShape: [2, 4, 4, 1],
    });
    expect(refused(tf.sequential({ layers: [wrapped] }))).toContain("'sep'");
  });
});

describe('convolves', () => {
  it('is true for models with a convolution', () => {
    expect(convolves(viewOf(network()))).toBe(false);
    expect(
      convolves(viewOf(tf.sequential({ layers: [l.conv1d({ filters: 1, kernelSize: 2, inputShape: [4, 1] })] }))),
    ).toBe(true);
  });
});
