/**
 * What the runner costs over a loop of one's own around `model.fit`: the same network, data, folds and epochs, the two
 * in turn in one process, as the ratio of the processor time that they take in all: other processes, which disturb the
 * clock by more than what is measured, do not count in it. Networks are sized so that an epoch takes 50 ms or more on
 * each backend, which is checked.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { foldsOf, KFold, UniversalCVRunner } from 'cvkit';
import { hasTensorflow, median, milliseconds, verdicts } from './verdicts.mjs';

const [ROWS, COLUMNS, FOLDS, EPOCHS, BATCH, PAIRS] = [800, 64, 2, 4, 32, 40];
const UNITS = { wasm: 288, tensorflow: 384 };
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

/** Milliseconds by the clock and of all processors. */
async function timed(work) {
  const before = process.cpuUsage();
  const clock = await milliseconds(work);
  const { user, system } = process.cpuUsage(before);
  return { clock, processor: (user + system) / 1000 };
}

async function measure(backend) {
  await tf.setBackend(backend);
  const hand = () => timed(() => byHand(UNITS[backend]));
  const runner = () => timed(() => byRunner(UNITS[backend], backend));
  await hand();
  await runner();
  const times = { hand: [], runner: [] };
  for (let i = 0; i < PAIRS; i++) {
    // Each goes first every other time, so that neither profits from a warm cache.
    if (i % 2) times.runner.push(await runner());
    times.hand.push(await hand());
    if (i % 2 === 0) times.runner.push(await runner());
  }
  const processor = (list) => list.reduce((sum, each) => sum + each.processor, 0);
  const clock = (list) => median(list.map((each) => each.clock));
  verdicts(`Runner over a hand-written loop, ${COLUMNS}-${UNITS[backend]}-${UNITS[backend]}-1 on ${backend}`, [
    {
      measure: `processor time of ${PAIRS} runs, ratio`,
      value: processor(times.runner) / processor(times.hand),
      digits: 3,
      atMost: 1.01,
    },
    { measure: 'median time by the clock, ratio', value: clock(times.runner) / clock(times.hand), digits: 3 },
    {
      measure: 'ms per epoch by hand',
      value: clock(times.hand) / (FOLDS * EPOCHS),
      digits: 0,
      atLeast: 50,
    },
  ]);
}

await measure('wasm');
if (await hasTensorflow('the overhead on tfjs-node')) await measure('tensorflow');
