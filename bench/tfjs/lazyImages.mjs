/**
 * 100,000 images of 28 x 28 that are made when they are asked for, 3 folds, under a fixed heap cap: this process is to
 * be started with --max-old-space-size=96. Held in memory the images would take 314 MB as 32-bit floats.
 */
import { getHeapStatistics } from 'node:v8';
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { KFold, UniversalCVRunner } from 'cvkit';
import { fromDataset } from 'cvkit/adapters/tfjs';
import { milliseconds, verdicts } from './verdicts.mjs';

const [IMAGES, SIZE, CAP] = [100_000, 28, 96];
const MB = 1e6;
await tf.setBackend('wasm');

const y = Uint8Array.from({ length: IMAGES }, (_, row) => (row * 7919) % 2);
// An image is a window of one long strip of noise; its first line tells the class.
const strip = Float32Array.from({ length: 8192 }, (_, i) => Math.sin(i * 12.9898));
const image = (row) => {
  const from = (row * 7919) % (strip.length - SIZE ** 2);
  return strip.slice(from, from + SIZE ** 2).fill(y[row], 0, SIZE);
};

let [peakHeap, peakBuffers, made] = [0, 0, 0];
function look() {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  peakHeap = Math.max(peakHeap, heapUsed);
  peakBuffers = Math.max(peakBuffers, arrayBuffers);
}

/** Rows as the runner asks for them: a few at a time, in any order. */
const source = {
  length: IMAGES,
  take(indices) {
    const data = new Float32Array(indices.length * SIZE ** 2);
    indices.forEach((row, at) => {
      data.set(image(row), at * SIZE ** 2);
    });
    made += indices.length;
    look();
    return { data, shape: [indices.length, SIZE, SIZE, 1] };
  },
};

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.conv2d({ inputShape: [SIZE, SIZE, 1], filters: 4, kernelSize: 5, strides: 3, activation: 'relu' }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

async function measure(name, X, labels) {
  [peakHeap, peakBuffers, made] = [0, 0, 0];
  const took = await milliseconds(() =>
    new UniversalCVRunner({
      cvSplitter: new KFold({ nSplits: 3 }),
      adapterOptions: { backend: 'wasm' },
      verbose: 0,
    }).run({
      model: network,
      data: [X, labels],
      epochs: 1,
      batchSize: 128,
      optimizer: 'adam',
      lossFn: 'binaryCrossentropy',
    }),
  );
  verdicts(`${IMAGES.toLocaleString('en')} images of ${SIZE} x ${SIZE} from ${name}, 3 folds, 1 epoch`, [
    { measure: 'peak heap, MB', value: peakHeap / MB, digits: 0, atMost: CAP },
    { measure: 'heap limit of the process, MB', value: getHeapStatistics().heap_size_limit / MB, digits: 0 },
    { measure: 'peak of typed arrays, the engine included, MB', value: peakBuffers / MB, digits: 0 },
    { measure: 'images made', value: made, digits: 0 },
    { measure: 'seconds', value: took / 1000, digits: 1 },
  ]);
}

await measure('a row source', source, y);

/** The same images one after the other, as tf.data has them. */
const stream = tf.data.generator(function* () {
  for (let row = 0; row < IMAGES; row++) {
    made++;
    if (row % 1000 === 0) look();
    yield { xs: tf.tensor3d(image(row), [SIZE, SIZE, 1]), ys: y[row] };
  }
});
const { X, y: labels } = await fromDataset(stream, { window: 2048 });
await measure('a tf.data dataset', X, labels);
