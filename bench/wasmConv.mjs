/**
 * One epoch of a convolutional network on the wasm backend, with the gradient that the adapter adds to it, against the
 * pure JavaScript backend, as their ratio. Target: at least 50. Both train the same network on the same rows.
 */
import * as tf from '@tensorflow/tfjs';
import { KFold, UniversalCVRunner } from 'cvkit';

const [ROWS, SIZE, BATCH, TARGET] = [64, 48, 32, 50];
const data = Float32Array.from({ length: ROWS * SIZE * SIZE }, (_, i) => Math.sin(i * 12.9898));
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

/** Milliseconds of the fastest epoch of one fold; the first one warms up. */
async function epoch(backend, epochs) {
  const times = [];
  let start = 0;
  const clock = {
    onEpochStart: () => {
      start = performance.now();
    },
    onEpochEnd: () => {
      times.push(performance.now() - start);
    },
    onFoldEnd: () => 'stop',
  };
  await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapterOptions: { backend }, verbose: 0 }).run({
    model: network,
    data: [X, y],
    epochs,
    batchSize: BATCH,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    callbacks: [clock],
  });
  return Math.min(...times);
}

const wasm = await epoch('wasm', 20);
const cpu = await epoch('cpu', 2);
console.log(`2 convolutions, ${ROWS / 2} images of ${SIZE}x${SIZE}, batch ${BATCH}, fastest epoch`);
console.table([
  { backend: 'wasm', milliseconds: Number(wasm.toFixed(1)) },
  { backend: 'cpu', milliseconds: Number(cpu.toFixed(1)) },
]);
console.log(`cpu / wasm = ${(cpu / wasm).toFixed(0)}, target at least ${TARGET}`);
if (cpu / wasm < TARGET) process.exitCode = 1;
