/**
 * One training step of a network with two convolutions (8 and 16 filters, 32 images of 64 x 64) on each backend, as
 * ratios. Most of the time on the cpu backend is one epoch, so that it trains one only.
 */
import * as tf from '@tensorflow/tfjs';
import { HoldOut, UniversalCVRunner } from 'cvkit';
import { hasTensorflow, median, verdicts } from './verdicts.mjs';

const [TRAIN, TEST, SIZE, EPOCHS] = [32, 2, 64, 25];
const ROWS = TRAIN + TEST;
const data = Float32Array.from({ length: ROWS * SIZE ** 2 }, (_, i) => Math.sin(i * 12.9898));
const X = { data, shape: [ROWS, SIZE, SIZE, 1] };
const y = Array.from({ length: ROWS }, (_, row) => row % 2);

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.conv2d({ inputShape: [SIZE, SIZE, 1], filters: 8, kernelSize: 3, activation: 'relu' }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.conv2d({ filters: 16, kernelSize: 3, activation: 'relu' }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

/** Median milliseconds of the epochs; the first of several warms up. */
async function epochTime(backend, epochs) {
  const times = [];
  let start = 0;
  const clock = {
    onEpochStart: () => {
      start = performance.now();
    },
    onEpochEnd: () => {
      times.push(performance.now() - start);
    },
  };
  const cvSplitter = new HoldOut({ testSize: TEST });
  await new UniversalCVRunner({ cvSplitter, adapterOptions: { backend }, verbose: 0 }).run({
    model: network,
    data: [X, y],
    epochs,
    batchSize: TRAIN,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    callbacks: [clock],
  });
  return median(epochs > 1 ? times.slice(1) : times);
}

const wasm = await epochTime('wasm', EPOCHS);
const tensorflow = (await hasTensorflow('wasm / tfjs-node')) ? await epochTime('tensorflow', EPOCHS) : undefined;
const cpu = await epochTime('cpu', 1);
verdicts(`2 convolutions, ${TRAIN} images of ${SIZE} x ${SIZE}, one batch, milliseconds and their ratios`, [
  { measure: 'cpu', value: cpu, digits: 0 },
  { measure: 'wasm', value: wasm, digits: 1 },
  ...(tensorflow ? [{ measure: 'tfjs-node', value: tensorflow, digits: 1 }] : []),
  { measure: 'cpu / wasm', value: cpu / wasm, digits: 0, atLeast: 100 },
  ...(tensorflow ? [{ measure: 'wasm / tfjs-node', value: wasm / tensorflow, digits: 1, atMost: 5 }] : []),
]);
