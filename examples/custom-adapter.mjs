/**
 * An adapter of your own: how the fold loop drives a model that it has never seen. Here a logistic regression by
 * gradient descent, with epochs, so that callbacks and early stopping work for it as for a network.
 *
 * @data processed.cleveland.data
 */
import { registerAdapter, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { adapterSuite } from 'cvkit/testing';
import { csvRows, exampleData } from './support/data.mjs';

const { X, y } = await exampleData({
  async read(path) {
    const rows = (await csvRows(path)).filter((row) => !row.includes('?')).map((row) => row.map(Number));
    return { X: rows.map((row) => row.slice(0, 13)), y: rows.map((row) => (row[13] > 0 ? 1 : 0)) };
  },
  generate({ uniform, normal }) {
    const labels = Array.from({ length: 303 }, () => (uniform() < 0.46 ? 1 : 0));
    return {
      X: labels.map((label) => Array.from({ length: 13 }, (_, j) => normal() + (j < 4 ? label : 0))),
      y: labels,
    };
  },
});

class Logistic {
  weights = [];
  center = [];
  scale = [];

  /** Means and deviations of the training rows: fitted inside the fold, so that nothing leaks. */
  standardise(rows) {
    const column = (j) => rows.map((row) => row[j]);
    const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;
    this.center = rows[0].map((_, j) => mean(column(j)));
    this.scale = this.center.map((m, j) => Math.sqrt(mean(column(j).map((v) => (v - m) ** 2))) || 1);
    this.weights = new Array(rows[0].length + 1).fill(0);
  }

  probability(row) {
    const z = row.reduce(
      (sum, v, j) => sum + (this.weights[j + 1] * (v - this.center[j])) / this.scale[j],
      this.weights[0],
    );
    return 1 / (1 + Math.exp(-z));
  }

  step(rows, codes, rate) {
    const gradient = new Array(this.weights.length).fill(0);
    let loss = 0;
    rows.forEach((row, i) => {
      const p = this.probability(row);
      loss -= Math.log(Math.max(1e-12, codes[i] ? p : 1 - p)) / rows.length;
      gradient[0] += (p - codes[i]) / rows.length;
      row.forEach((v, j) => {
        gradient[j + 1] += ((p - codes[i]) * (v - this.center[j])) / this.scale[j] / rows.length;
      });
    });
    this.weights = this.weights.map((weight, j) => weight - rate * gradient[j]);
    return loss;
  }
}

const logisticAdapter = {
  name: 'logistic',
  capabilities: { trains: true, epochs: true, probabilities: true, saves: false },
  matches: (model) => model instanceof Logistic,
  build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : new Logistic()),
  async fit(model, train, { epochs, signal }, hooks) {
    const rows = await train.X.toArrays();
    model.standardise(rows);
    const history = [];
    for (let epoch = 0; epoch < epochs; epoch++) {
      await hooks.onEpochStart(epoch);
      signal?.throwIfAborted();
      const logs = { loss: model.step(rows, train.y.codes, 1) };
      history.push(logs);
      if ((await hooks.onEpochEnd(epoch, logs)) === 'stop') break;
    }
    return { epochs: history };
  },
  async predict(model, rows) {
    const p = (await rows.toArrays()).map((row) => model.probability(row));
    return { probabilities: { data: Float64Array.from(p.flatMap((v) => [1 - v, v])), shape: [p.length, 2] } };
  },
};

// The conformance suite says whether the adapter keeps the promises that the fold loop relies on.
const cases = adapterSuite({
  adapter: logisticAdapter,
  makeFactory: () => () => new Logistic(),
  makeData: () => ({ X, y }),
});
for (const { run } of cases) await run();
console.log(`Adapter conformance: ${cases.length} of ${cases.length} cases pass`);

registerAdapter(logisticAdapter);
const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
});
const results = await runner.run({ model: () => new Logistic(), data: [X, y], epochs: 100 });
console.log(results.summary());
