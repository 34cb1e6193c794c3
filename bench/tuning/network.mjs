/**
 * A small network of TensorFlow.js on WDBC, its loss worked out once for every set of parameters of a grid, so that samplers
 * in two languages search the same function: see `tableObjective`.
 */
import { loadCancerImaging, randomSource } from 'cvkit';

const EPOCHS = 5;
const BATCH = 32;
/** Share of the rows that networks are trained on; the others give the loss. */
const TRAINED = 2 / 3;
/** The values of the grid: log10 of the learning rate, units, dropout. */
const RATES = Array.from({ length: 9 }, (_, at) => -4 + 0.5 * at);
const UNITS = Array.from({ length: 8 }, (_, at) => 2 + 2 * at);
const DROPOUT = Array.from({ length: 5 }, (_, at) => 0.2 * at);

/** Validation log loss by learning rate, units and dropout; undefined, with a word on why, where TensorFlow.js is not there. */
export async function networkTable() {
  let tf;
  try {
    tf = await import('@tensorflow/tfjs');
  } catch (error) {
    console.log(`SKIPPED network on WDBC: @tensorflow/tfjs does not load (${error.message.split('\n')[0]}).`);
    return undefined;
  }
  // The processor gives the same numbers everywhere, and these networks are small.
  await tf.setBackend('cpu');
  const data = await splitRows(tf);
  const started = performance.now();
  const table = [];
  for (const rate of RATES) {
    table.push([]);
    for (const units of UNITS) {
      const losses = [];
      for (const dropout of DROPOUT) losses.push(await lossOf(tf, data, { rate, units, dropout }));
      table.at(-1).push(losses);
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const all = table.flat(2);
  console.log(
    `\n${all.length} networks on WDBC in ${seconds.toFixed(0)} s: log loss from ${Math.min(...all).toFixed(4)} to ${Math.max(...all).toFixed(4)}`,
  );
  return table;
}

/** Rows in random order, standardised by those that are trained on. */
async function splitRows(tf) {
  const { X, y } = await loadCancerImaging();
  const random = randomSource(1);
  const keys = X.map(() => random.random());
  const order = keys.map((_, row) => row).sort((a, b) => keys[a] - keys[b]);
  const nTrained = Math.round(TRAINED * order.length);
  const rows = tf.tensor2d(order.map((row) => Array.from(X[row])));
  const labels = tf.tensor2d(order.map((row) => [Number(y[row])]));
  const { mean, variance } = tf.moments(rows.slice([0, 0], [nTrained, -1]), 0);
  const scaled = rows.sub(mean).div(variance.sqrt());
  return {
    X: scaled.slice([0, 0], [nTrained, -1]),
    y: labels.slice([0, 0], [nTrained, -1]),
    XOther: scaled.slice([nTrained, 0], [-1, -1]),
    yOther: labels.slice([nTrained, 0], [-1, -1]),
  };
}

async function lossOf(tf, { X, y, XOther, yOther }, { rate, units, dropout }) {
  const kernelInitializer = () => tf.initializers.glorotUniform({ seed: 1 });
  const model = tf.sequential({
    layers: [
      tf.layers.dense({ units, activation: 'relu', inputShape: [X.shape[1]], kernelInitializer: kernelInitializer() }),
      tf.layers.dropout({ rate: dropout, seed: 1 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid', kernelInitializer: kernelInitializer() }),
    ],
  });
  const optimizer = tf.train.adam(10 ** rate);
  model.compile({ optimizer, loss: 'binaryCrossentropy' });
  await model.fit(X, y, { epochs: EPOCHS, batchSize: BATCH, shuffle: false, verbose: 0, yieldEvery: 'never' });
  const evaluated = model.evaluate(XOther, yOther);
  const [loss] = await evaluated.data();
  tf.dispose(evaluated);
  model.dispose();
  optimizer.dispose();
  return loss;
}
