/** A program of its own, run with a small heap: three folds over 100,000 images that no array ever holds. */
import * as tf from '@tensorflow/tfjs';
import { createTfjsAdapter } from '../../adapters/tfjs/index.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

const [ROWS, SIZE] = [100_000, 28];
const y = Array.from({ length: ROWS }, (_, row) => (row >> 2) % 2);

let most = 0;
let buffers = 0;
const X = {
  length: ROWS,
  take(indices: Int32Array) {
    most = Math.max(most, indices.length);
    buffers = Math.max(buffers, process.memoryUsage().arrayBuffers);
    const data = new Float32Array(indices.length * SIZE ** 2);
    indices.forEach((row, at) => {
      for (let i = 0; i < SIZE ** 2; i++) data[at * SIZE ** 2 + i] = ((row ^ (i * 37)) & 63) / 256;
      data[at * SIZE ** 2] = y[row] * 4 - 2;
    });
    return { data, shape: [indices.length, SIZE, SIZE, 1] };
  },
};
const model = () =>
  tf.sequential({
    layers: [
      tf.layers.averagePooling2d({ poolSize: 4, strides: 14, inputShape: [SIZE, SIZE, 1] }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const optimizer = tf.train.adam(0.05);
const before = tf.memory().numTensors;
const runner = new UniversalCVRunner({
  cvSplitter: new KFold({ nSplits: 3 }),
  adapter: createTfjsAdapter({ tf }),
  adapterOptions: { backend: 'cpu' },
  verbose: 0,
});
const { outOfFold, scores } = await runner.run({
  model,
  data: [X, y],
  epochs: 1,
  batchSize: 256,
  optimizer,
  lossFn: 'binaryCrossentropy',
  metrics: ['accuracy'],
});
const accuracy = Math.min(...scores.accuracy.map(({ value }) => value ?? 0));
console.log(
  JSON.stringify({ rows: outOfFold.row.length, most, tensors: tf.memory().numTensors - before, accuracy, buffers }),
);
