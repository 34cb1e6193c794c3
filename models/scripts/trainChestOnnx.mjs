/**
 * Writes models/trained/chest-drawings-onnx: a convolutional network that tells drawings of a chest with an opacity from those
 * without, as an `.onnx` file. Trained by TensorFlow.js; the file takes channels first, as PyTorch exports them, any number
 * of rows, and gives logits. Its inner tensor `features` is what the last convolution has found, for `OnnxEmbedding`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { convolutionBlocks } from '../convolutionBlocks.mjs';
import { chestDrawings } from './chestDrawings.mjs';
import { describe, trained } from './describe.mjs';
import { onnxBytes } from './onnxBytes.mjs';

const [NAME, SEED, N] = ['chest-drawings-onnx', 2026, 2000];
const FILTERS = [8, 16, 32];
const { X, y } = chestDrawings(randomSource(SEED), { n: N });
const results = await new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
  adapterOptions: { backend: 'wasm' },
  verbose: 0,
}).run({
  model: () =>
    tf.sequential({
      layers: [
        ...convolutionBlocks(tf, 2, { inputShape: [28, 28, 1], filters: FILTERS }),
        tf.layers.globalAveragePooling2d({ name: 'features' }),
        tf.layers.dense({ units: 2, activation: 'softmax', name: 'output' }),
      ],
    }),
  data: [X, y],
  folds: [0],
  epochs: 40,
  batchSize: 32,
  optimizer: tf.train.adam(0.005),
  lossFn: 'sparseCategoricalCrossentropy',
  metrics: ['roc_auc', 'log_loss', 'sensitivity', 'specificity'],
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 6 })],
  keepModels: 'memory',
});

const network = results.models.find((model) => model !== null);
const numbers = (layer, at) => network.getLayer(layer).getWeights()[at].dataSync();

// Kernels as ONNX has them: [filters, channels, height, width].
const kernel = (at) =>
  tf.tidy(() => network.getLayer(`convolution${at}`).getWeights()[0].transpose([3, 2, 0, 1]).dataSync());
const weights = {
  'output.weight': [numbers('output', 0), [FILTERS.at(-1), 2]],
  'output.bias': [numbers('output', 1), [2]],
};
const nodes = FILTERS.flatMap((filters, index) => {
  const at = index + 1;
  weights[`convolution${at}.weight`] = [kernel(at), [filters, FILTERS[index - 1] ?? 1, 3, 3]];
  weights[`convolution${at}.bias`] = [numbers(`convolution${at}`, 1), [filters]];
  const from = index === 0 ? 'image' : `pooling${index}`;
  return [
    {
      op: 'Conv',
      in: [from, `convolution${at}.weight`, `convolution${at}.bias`],
      out: `convolution${at}`,
      ints: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] },
    },
    { op: 'Relu', in: [`convolution${at}`], out: `positive${at}` },
    { op: 'MaxPool', in: [`positive${at}`], out: `pooling${at}`, ints: { kernel_shape: [2, 2], strides: [2, 2] } },
  ];
});
nodes.push(
  { op: 'GlobalAveragePool', in: [`pooling${FILTERS.length}`], out: 'means' },
  { op: 'Flatten', in: ['means'], out: 'features', int: { axis: 1 } },
  { op: 'Gemm', in: ['features', 'output.weight', 'output.bias'], out: 'logits' },
);
const bytes = onnxBytes({
  name: NAME,
  nodes,
  weights,
  inputs: { image: ['rows', 1, 28, 28] },
  outputs: { logits: ['rows', 2] },
});
rmSync(trained(NAME), { recursive: true, force: true });
mkdirSync(trained(NAME), { recursive: true });
writeFileSync(join(trained(NAME), 'model.onnx'), bytes);

// What the network in tfjs says of a few rows: the file must say the same in every runtime.
describe(NAME, {
  script: 'models/scripts/trainChestOnnx.mjs',
  data: `chestDrawings(randomSource(${SEED}), { n: ${N} }) of models/scripts/chestDrawings.mjs, no X-rays; predictions are P(1), an opacity, and features those of the inner tensor of that name, both as tfjs computes them`,
  results,
  more: (rows) => ({ features: featuresOf(rows) }),
});
network.dispose();
console.log(results.summary());

function featuresOf(rows) {
  const some = Float32Array.from(rows.flatMap((row) => Array.from(X.data.subarray(row * 784, (row + 1) * 784))));
  return tf.tidy(() => {
    const base = tf.model({ inputs: network.inputs, outputs: network.getLayer('features').output });
    return base.predict(tf.tensor(some, [rows.length, 28, 28, 1])).arraySync();
  });
}
