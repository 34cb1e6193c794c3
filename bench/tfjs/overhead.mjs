/**
 * What the runner costs over a loop of one's own around `model.fit`: the same network, data, folds and epochs, the two
 * in turn in one process, as the median of the ratios of the pairs. Networks are sized so that an epoch takes 50 ms or
 * more on each backend, which is checked.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { foldsOf, KFold, UniversalCVRunner } from 'cvkit';
import { hasTensorflow, median, milliseconds, verdicts } from './verdicts.mjs';

const [ROWS, COLUMNS, FOLDS, EPOCHS, BATCH, PAIRS] = [800, 64, 3, 5, 32, 15];
const UNITS = { wasm: 256, tensorflow: 512 };
const cvSplitter = new KFold({ nSplits: FOLDS });
const data = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(i * 12.9898));
const X = { data, shape: [ROWS, COLUMNS] };
const y = Array.from({ length: ROWS }, (_, i) => (data[i * COLUMNS] > 0 ? 1 : 0));

const network = (units) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [COLUMNS], units, activation: 'relu' }),
      tf.layers.dense({ units, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

async function byHand(units) {
  for (const { train, test } of foldsOf(cvSplitter, ROWS)) {
    const rows = (indices) => {
      const out = new Float32Array(indices.length * COLUMNS);
      for (let i = 0; i < indices.length; i++)
        out.set(data.subarray(indices[i] * COLUMNS, (indices[i] + 1) * COLUMNS), i * COLUMNS);
      return tf.tensor2d(out, [indices.length, COLUMNS]);
    };
    const model = network(units);
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

const byRunner = (units, backend) =>
  new UniversalCVRunner({ cvSplitter, adapterOptions: { backend }, verbose: 0 }).run({
    model: () => network(units),
    data: [X, y],
    epochs: EPOCHS,
    batchSize: BATCH,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
  });

async function measure(backend) {
  await tf.setBackend(backend);
  const hand = () => milliseconds(() => byHand(UNITS[backend]));
  const runner = () => milliseconds(() => byRunner(UNITS[backend], backend));
  await hand();
  await runner();
  const pairs = [];
  for (let i = 0; i < PAIRS; i++) {
    // Each goes first every other time, so that neither profits from a warm cache.
    const first = i % 2 ? await runner() : undefined;
    const one = await hand();
    pairs.push({ hand: one, ratio: (first ?? (await runner())) / one });
  }
  const ratios = pairs.map(({ ratio }) => ratio).sort((a, b) => a - b);
  verdicts(`Runner over a hand-written loop, ${COLUMNS}-${UNITS[backend]}-${UNITS[backend]}-1 on ${backend}`, [
    { measure: `ratio, median of ${PAIRS} pairs`, value: median(ratios), digits: 3, atMost: 1.01 },
    { measure: 'ratio, lower quartile', value: ratios[PAIRS >> 2], digits: 3 },
    { measure: 'ratio, upper quartile', value: ratios[PAIRS - 1 - (PAIRS >> 2)], digits: 3 },
    {
      measure: 'ms per epoch by hand',
      value: median(pairs.map((pair) => pair.hand)) / (FOLDS * EPOCHS),
      digits: 0,
      atLeast: 50,
    },
  ]);
}

await measure('wasm');
if (await hasTensorflow('the overhead on tfjs-node')) await measure('tensorflow');
