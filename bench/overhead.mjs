/**
 * Overhead of the runner over a hand-written TensorFlow.js loop: the same network, data, folds and epochs, the two in
 * turn in one process, as the ratio of each pair. Target: a median of at most 1.02 with epochs of 50 ms or more.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { foldsOf, KFold, UniversalCVRunner } from 'cvkit';

const [ROWS, COLUMNS, EPOCHS, BATCH, PAIRS] = [2000, 64, 6, 64, 7];
const cvSplitter = new KFold({ nSplits: 3 });
const data = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(i * 12.9898));
const X = { data, shape: [ROWS, COLUMNS] };
const y = Array.from({ length: ROWS }, (_, i) => (data[i * COLUMNS] > 0 ? 1 : 0));

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [COLUMNS], units: 256, activation: 'relu' }),
      tf.layers.dense({ units: 256, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

async function byHand() {
  for (const { train, test } of foldsOf(cvSplitter, ROWS)) {
    const rows = (indices) => {
      const out = new Float32Array(indices.length * COLUMNS);
      for (let i = 0; i < indices.length; i++)
        out.set(data.subarray(indices[i] * COLUMNS, (indices[i] + 1) * COLUMNS), i * COLUMNS);
      return tf.tensor2d(out, [indices.length, COLUMNS]);
    };
    const model = network();
    model.compile({ optimizer: 'adam', loss: 'binaryCrossentropy' });
    const [trainX, trainY] = [rows(train), tf.tensor2d(Array.from(train, (row) => [y[row]]))];
    await model.fit(trainX, trainY, { epochs: EPOCHS, batchSize: BATCH, shuffle: true, verbose: 0 });
    const testX = rows(test);
    const predicted = model.predict(testX, { batchSize: BATCH });
    await predicted.data();
    tf.dispose([trainX, trainY, testX, predicted]);
    model.optimizer.dispose();
    model.dispose();
  }
}

const byRunner = () =>
  new UniversalCVRunner({ cvSplitter, adapterOptions: { backend: 'wasm' }, verbose: 0 }).run({
    model: network,
    data: [X, y],
    epochs: EPOCHS,
    batchSize: BATCH,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
  });

async function seconds(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

await tf.setBackend('wasm');
await byHand();
await byRunner();
const pairs = [];
for (let i = 0; i < PAIRS; i++) {
  await tf.setBackend('wasm');
  // Each goes first every other time, so that neither profits from a warm cache.
  const first = i % 2 ? [await seconds(byRunner)] : [];
  const hand = await seconds(byHand);
  const runner = first[0] ?? (await seconds(byRunner));
  pairs.push({ hand, runner, ratio: runner / hand });
}
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const hand = median(pairs.map((pair) => pair.hand));
console.table([
  {
    'runner against a hand-written tfjs loop': `${COLUMNS}-256-256-1, ${ROWS} rows, wasm`,
    'ms per epoch by hand': Math.round((hand / (3 * EPOCHS)) * 1000),
    'ratio, median': median(pairs.map(({ ratio }) => ratio)).toFixed(3),
    'ratio, min': Math.min(...pairs.map(({ ratio }) => ratio)).toFixed(3),
    'ratio, max': Math.max(...pairs.map(({ ratio }) => ratio)).toFixed(3),
    target: '<= 1.02',
  },
]);
