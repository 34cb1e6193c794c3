/**
 * A convolutional network on chest X-rays of 28 x 28 pixels. It trains on the wasm backend, or on tfjs-node where that
 * loads. The public images come without patient ids, so that the leakage check cannot be made, and the summary says so.
 *
 * @data pneumonia_28x28.json
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { CVKitValidator } from 'cvkit';
import { exampleData } from './support/data.mjs';

await tf.setBackend('wasm');
const SIZE = 28;
const images = 240;

const { data, labels } = await exampleData({
  async read(path) {
    const { labels, n } = JSON.parse(await readFile(path, 'utf8'));
    const pixels = gunzipSync(await readFile(path.replace(/json$/, 'u8.gz')));
    // The first images keep the example short; take them all for the real thing.
    return {
      data: Float32Array.from(pixels.subarray(0, images * SIZE ** 2), (p) => p / 255),
      labels: labels.slice(0, Math.min(n, images)),
    };
  },
  generate({ uniform, normal }) {
    const labels = Array.from({ length: images }, () => (uniform() < 0.6 ? 1 : 0));
    const data = new Float32Array(images * SIZE ** 2);
    labels.forEach((label, i) => {
      // A cloud at a random place is the finding; noise is everywhere.
      const [cx, cy] = [6 + 16 * uniform(), 6 + 16 * uniform()];
      for (let p = 0; p < SIZE ** 2; p++) {
        const distance = Math.hypot((p % SIZE) - cx, Math.floor(p / SIZE) - cy);
        const value = 0.45 + 0.1 * normal() + (label ? 0.5 * Math.exp(-((distance / 5) ** 2)) : 0);
        data[i * SIZE ** 2 + p] = Math.min(1, Math.max(0, value));
      }
    });
    return { data, labels };
  },
});

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.conv2d({ inputShape: [SIZE, SIZE, 1], filters: 8, kernelSize: 3, activation: 'relu', padding: 'same' }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.conv2d({ filters: 16, kernelSize: 3, activation: 'relu', padding: 'same' }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 16, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const result = await new CVKitValidator({
  nSplits: 3,
  metrics: ['accuracy', 'roc_auc', 'sensitivity', 'specificity'],
}).validate({
  model: network,
  X: { data, shape: [labels.length, SIZE, SIZE, 1] },
  y: labels,
  epochs: 14,
  batchSize: 16,
  optimizer: tf.train.adam(0.005),
  lossFn: 'binaryCrossentropy',
});

console.log(result.summary());
const { estimate, lower, upper } = result.confidenceIntervals.roc_auc;
console.log(`roc_auc ${estimate.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] on ${labels.length} images`);
