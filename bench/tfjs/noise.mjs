/**
 * What early stopping reads out of pure noise, where every AUC above one half is an illusion: 60 folds of 12 data sets
 * without any signal. The runner watches rows cut from the training rows of each fold; beside it the same training,
 * written by hand as many tutorials do, watches the test fold itself.
 */
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { EarlyStopping, foldsOf, randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { mean, verdicts } from './verdicts.mjs';

const [SETS, FOLDS, ROWS, COLUMNS, EPOCHS, BATCH, PATIENCE] = [12, 5, 100, 10, 30, 32, 10];
await tf.setBackend('wasm');

/** Normal noise and labels that know nothing of it. */
function noise(seed) {
  const random = randomSource(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  return {
    X: Array.from({ length: ROWS }, () => Array.from({ length: COLUMNS }, normal)),
    y: Array.from({ length: ROWS }, (_, row) => row % 2),
  };
}

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [COLUMNS], units: 16, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const splitterOf = (set) => new StratifiedKFold({ nSplits: FOLDS, shuffle: true, randomState: set });

/** AUC of each fold with the runner, which stops on rows cut from the training rows. */
async function inner(set) {
  const { X, y } = noise(set);
  const { scores } = await new UniversalCVRunner({ cvSplitter: splitterOf(set), randomState: set, verbose: 0 }).run({
    model: network,
    data: [X, y],
    epochs: EPOCHS,
    batchSize: BATCH,
    optimizer: tf.train.adam(0.01),
    lossFn: 'binaryCrossentropy',
    metrics: ['roc_auc'],
    validation: 0.25,
    callbacks: [new EarlyStopping({ monitor: 'val_roc_auc', patience: PATIENCE })],
  });
  return scores.roc_auc.map(({ value }) => value);
}

/** AUC of each fold when the epoch is chosen by the test fold: what the runner refuses. */
async function outer(set) {
  const { X, y } = noise(set);
  const found = [];
  for (const { train, test } of foldsOf(splitterOf(set), ROWS, y)) {
    const [trainX, testX] = [train, test].map((rows) => tf.tensor2d(Array.from(rows, (row) => X[row])));
    const trainY = tf.tensor2d(Array.from(train, (row) => [y[row]]));
    const truth = Array.from(test, (row) => y[row]);
    const model = network();
    const optimizer = tf.train.adam(0.01);
    model.compile({ optimizer, loss: 'binaryCrossentropy' });
    let [best, waited] = [0, 0];
    for (let epoch = 0; epoch < EPOCHS && waited < PATIENCE; epoch++) {
      await model.fit(trainX, trainY, { epochs: 1, batchSize: BATCH, verbose: 0 });
      const now = auc(
        truth,
        tf.tidy(() => model.predict(testX).dataSync()),
      );
      waited = now > best ? 0 : waited + 1;
      best = Math.max(best, now);
    }
    found.push(best);
    tf.dispose([trainX, testX, trainY]);
    model.dispose();
    optimizer.dispose();
  }
  return found;
}

/** Share of pairs of a positive and a negative that the scores put in order; a tie counts half. */
function auc(truth, scores) {
  const of = (label) => Array.from(scores).filter((_, i) => truth[i] === label);
  const pairs = of(1).flatMap((high) => of(0).map((low) => (high > low ? 1 : high === low ? 0.5 : 0)));
  return mean(pairs);
}

const seeds = Array.from({ length: SETS }, (_, set) => set + 1);
const [stoppedInside, stoppedOutside] = [[], []];
for (const seed of seeds) {
  stoppedInside.push(...(await inner(seed)));
  stoppedOutside.push(...(await outer(seed)));
}
const deviation = Math.sqrt(mean(stoppedInside.map((value) => (value - mean(stoppedInside)) ** 2)));
verdicts(`AUC on pure noise, mean of ${stoppedInside.length} outer test folds`, [
  { measure: 'stopped on inner validation rows', value: mean(stoppedInside), digits: 3, atLeast: 0.45, atMost: 0.55 },
  { measure: 'its standard error', value: deviation / Math.sqrt(stoppedInside.length), digits: 3 },
  { measure: 'stopped on the test fold, by hand', value: mean(stoppedOutside), digits: 3 },
]);
