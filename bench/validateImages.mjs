/**
 * `validate` of 2,000 images of 512 x 512 that no array ever holds (2 GB as 32-bit floats): a small network, three folds
 * by patients, all checks. The peak of memory is that of this process; `ROWS` sets another number of images.
 */
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, randomSource } from 'cvkit';

const ROWS = Number(process.env.ROWS ?? 2000);
const SIZE = 512;
const GOAL = 600;

const random = randomSource(1);
const noise = Float32Array.from({ length: 2 * SIZE ** 2 }, () => random.random());
const y = Array.from({ length: ROWS }, (_, row) => (row >> 2) % 2);
let most = 0;
const X = {
  length: ROWS,
  take(indices) {
    most = Math.max(most, indices.length);
    const data = new Float32Array(indices.length * SIZE ** 2);
    indices.forEach((row, place) => {
      const image = noise.subarray((row * 7919) % SIZE ** 2).subarray(0, SIZE ** 2);
      for (let i = 0; i < SIZE ** 2; i++)
        data[place * SIZE ** 2 + i] = image[i] + (i % (row + 2)) / (row + 2) + y[row] / 4;
    });
    return { data, shape: [indices.length, SIZE, SIZE, 1] };
  },
};

const started = performance.now();
await new CVKitValidator({ nSplits: 3, randomState: 3 }).validate({
  model: ({ inputShape }) =>
    tf.sequential({
      layers: [
        tf.layers.averagePooling2d({ poolSize: 16, strides: 16, inputShape }),
        tf.layers.flatten(),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      ],
    }),
  X,
  y,
  patientIds: y.map((_, row) => row >> 2),
  epochs: 1,
  batchSize: 16,
  optimizer: 'sgd',
  lossFn: 'binaryCrossentropy',
  adapterOptions: { backend: 'cpu' },
  verbose: 0,
});
const seconds = (performance.now() - started) / 1000;
const peak = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(
  `validate of ${ROWS} images of ${SIZE} x ${SIZE}: ${seconds.toFixed(0)} s, at most ${most} images read at once`,
);
console.log(`${peak < GOAL ? 'ok ' : 'MISSED'} memory: ${peak} MB at most (goal < ${GOAL} MB)`);
process.exitCode = peak < GOAL ? 0 : 1;
