/**
 * An adapter of your own, in thirty lines: how the fold loop drives a model that it has never seen. The model here is a
 * logistic regression by gradient descent, with epochs, so that callbacks work for it as for a network. Preparation, checks
 * and intervals are the same for every model.
 *
 * @data processed.cleveland.data
 */
import { CVKitValidator, randomSource, registerAdapter } from 'cvkit';
import { readTable } from 'cvkit/node';
import { tabular } from 'cvkit/preprocessing';
import { adapterSuite } from 'cvkit/testing';
import { heartFile } from './support/tables.mjs';

/** The model of some other library: one call of `step` moves its weights once. */
class Descent {
  weights;
  risk = (row) =>
    1 / (1 + Math.exp(-row.reduce((sum, value, j) => sum + value * this.weights[j], this.weights.at(-1))));

  step(rows, codes) {
    this.weights ??= new Float64Array(rows[0].length + 1);
    const errors = rows.map((row, i) => codes[i] - this.risk(row));
    this.weights = this.weights.map(
      (weight, j) => weight + rows.reduce((sum, row, i) => sum + errors[i] * (row[j] ?? 1), 0) / rows.length,
    );
    return errors.reduce((sum, error) => sum - Math.log(1 - Math.abs(error)), 0) / rows.length;
  }
}

const descentAdapter = {
  name: 'descent',
  capabilities: { trains: true, epochs: true, probabilities: true, saves: false },
  matches: (model) => model instanceof Descent,
  build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : new Descent()),
  async fit(model, train, { epochs, signal }, hooks) {
    const rows = await train.X.toArrays();
    const history = [];
    for (let epoch = 0; epoch < epochs; epoch++) {
      await hooks.onEpochStart(epoch);
      signal?.throwIfAborted();
      const logs = { loss: model.step(rows, train.y.codes) };
      history.push(logs);
      if ((await hooks.onEpochEnd(epoch, logs)) === 'stop') break;
    }
    return { epochs: history };
  },
  async predict(model, X) {
    const risks = (await X.toArrays()).map(model.risk);
    return { probabilities: { data: Float64Array.from(risks.flatMap((p) => [1 - p, p])), shape: [risks.length, 2] } };
  },
};

// The conformance suite says whether the adapter keeps the promises that the fold loop relies on.
const random = randomSource(1);
const y = Array.from({ length: 60 }, (_, row) => row % 2);
const cases = adapterSuite({
  adapter: descentAdapter,
  makeFactory: () => () => new Descent(),
  makeData: () => ({ X: y.map((label) => [label + random.random(), random.random()]), y }),
});
for (const { run } of cases) await run();

registerAdapter(descentAdapter);
const table = await readTable(await heartFile(), {
  columnNames: 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' '),
  types: { cp: 'categorical', restecg: 'categorical', thal: 'categorical' },
  target: 'num',
});
const result = await new CVKitValidator({ independentRows: true, metrics: ['accuracy', 'roc_auc', 'brier'] }).validate({
  ...table,
  y: table.y.map((grade) => Number(grade > 0)),
  model: () => new Descent(),
  preprocessing: tabular(),
  epochs: 100,
});
console.log(result.summary());
console.log(`Adapter conformance: ${cases.length} of ${cases.length} cases pass`);
