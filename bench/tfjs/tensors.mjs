/**
 * Tensors that a run leaves behind: none from fold to fold, none after a run, an abort or a failed fold. Dropout, batch
 * normalisation, an optimizer instance of the caller and restored weights are all in it.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { EarlyStopping, KFold, UniversalCVRunner } from 'cvkit';
import { hasTensorflow, verdicts } from './verdicts.mjs';

const [ROWS, COLUMNS, FOLDS] = [120, 8, 10];
const data = Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => Math.sin(i * 12.9898));
const y = Array.from({ length: ROWS }, (_, i) => (data[i * COLUMNS] > 0 ? 1 : 0));

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.batchNormalization({ inputShape: [COLUMNS] }),
      tf.layers.dense({ units: 16, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.3 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

async function measure(backend) {
  await tf.setBackend(backend);
  const optimizer = tf.train.adam(0.01);
  const start = tf.memory().numTensors;
  const run = (options = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: FOLDS }), adapterOptions: { backend }, verbose: 0 }).run({
      model: network,
      data: [{ data, shape: [ROWS, COLUMNS] }, y],
      epochs: 12,
      optimizer,
      lossFn: 'binaryCrossentropy',
      validation: 0.25,
      ...options,
      callbacks: [new EarlyStopping({ patience: 2 }), ...(options.callbacks ?? [])],
    });
  const left = () => tf.memory().numTensors - start;

  const byFold = [];
  await run({ callbacks: [{ onFoldEnd: () => void byFold.push(left()) }] });
  const afterRun = left();

  const abort = new AbortController();
  const aborting = { onEpochEnd: ({ index, epoch }) => void (index === 2 && epoch === 1 && abort.abort()) };
  const ended = await run({ signal: abort.signal, callbacks: [aborting] }).then(
    () => 'completed',
    (error) => error.name,
  );
  if (ended !== 'AbortError') throw new Error(`The run that was aborted ended as ${ended}.`);
  const afterAbort = left();

  let steps = 0;
  const lossFn = (yTrue, yPred) => {
    if (++steps === 40) throw new Error('out of memory, as it were');
    return tf.metrics.binaryCrossentropy(yTrue, yPred);
  };
  const { folds } = await run({ lossFn, onFoldError: 'record' });
  const failed = folds.filter(({ status }) => status === 'failed').length;
  if (failed !== 1) throw new Error(`One fold was to fail, and ${failed} did.`);

  verdicts(`Tensors left behind on ${backend}`, [
    { measure: `after fold ${FOLDS}, less those after fold 1`, value: byFold.at(-1) - byFold[0], atMost: 0, digits: 0 },
    { measure: 'after a run', value: afterRun, atMost: 0, digits: 0 },
    { measure: 'after an aborted run', value: afterAbort, atMost: 0, digits: 0 },
    { measure: 'after a run with a failed fold', value: left(), atMost: 0, digits: 0 },
  ]);
  optimizer.dispose();
}

await measure('cpu');
await measure('wasm');
if (await hasTensorflow('tensors on tfjs-node')) await measure('tensorflow');
