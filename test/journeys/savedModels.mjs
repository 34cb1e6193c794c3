/** Models of every kind that can be saved: one process trains and saves them, another loads them and predicts. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { ensemble, loadCancerImaging, loadModel, registerAdapter, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { DummyClassifier, DummyRegressor, LogisticRegression } from 'cvkit/estimators';
import { PCA, Pipeline, StandardScaler, tabular } from 'cvkit/preprocessing';
import { RandomForestClassifier } from 'ml-random-forest';

const [what, folder] = process.argv.slice(2);
const { X, y } = await loadCancerImaging();
const sizes = X.map((row) => row[0]);
const thirds = sizes.map((size) => (size < 12 ? 'small' : size < 16 ? 'middle' : 'large'));
const records = X.map(([radius, texture], row) => ({ radius: row % 9 ? radius : null, texture, site: 'abc'[row % 3] }));

/** A model of some library, with an adapter of its own that writes a file. */
class Stump {
  cut = 0;
}
registerAdapter({
  name: 'stump',
  capabilities: { trains: true, epochs: false, probabilities: true, saves: true },
  matches: (model) => model instanceof Stump,
  build: async (source, ctx) => source(ctx),
  async fit(model, { X: rows }) {
    const all = (await rows.toArrays()).map(([a]) => a);
    model.cut = all.reduce((sum, a) => sum + a, 0) / all.length;
    return { epochs: [] };
  },
  async predict(model, rows) {
    const risks = (await rows.toArrays()).map(([a]) => 1 / (1 + Math.exp(model.cut - a)));
    return { probabilities: { data: Float64Array.from(risks), shape: [risks.length, 1] } };
  },
  save: (model, where) => writeFile(where, JSON.stringify(model)),
  load: async (where) => Object.assign(new Stump(), JSON.parse(await readFile(where, 'utf8'))),
});

const network = ({ inputShape }) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape, units: 4, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
const rules = { threshold: { sensitivity: 0.95 }, recalibrate: 'isotonic' };
const scaled = { preprocessing: new StandardScaler() };
const trainStep = ({ model, optimizer, x, y: truth }) =>
  optimizer.minimize(() => tf.metrics.binaryCrossentropy(truth, model.apply(x, { training: true })).mean(), true);
const fromJSON = (json) => RandomForestClassifier.load(json);
const logistic = () => new LogisticRegression();

/** By name: what is trained, how the run is made, and how the model is loaded. */
const KINDS = {
  logistic: [{ model: logistic, ...scaled, ...rules }],
  multinomial: [{ model: logistic, ...scaled, data: [X, thirds] }],
  prior: [{ model: () => new DummyClassifier() }],
  median: [{ model: () => new DummyRegressor({ strategy: 'median' }), data: [X, sizes] }],
  pipeline: [{ model: new Pipeline([new StandardScaler(), new PCA({ nComponents: 3 }), new LogisticRegression()]) }],
  records: [{ model: logistic, preprocessing: tabular(), data: [records, y] }],
  forest: [
    { model: () => new RandomForestClassifier({ nEstimators: 15, seed: 1, noOOB: true }) },
    { adapterOptions: { fromJSON } },
    { adapterOptions: { fromJSON } },
  ],
  network: [{ model: network, ...scaled, ...rules, epochs: 4, optimizer: 'adam', lossFn: 'binaryCrossentropy' }],
  trainStep: [{ model: network, ...scaled, epochs: 4, optimizer: 'adam' }, { adapterOptions: { trainStep } }],
  adapter: [{ model: () => new Stump(), ...scaled }],
};

const plain = ({ predictions, probabilities }) => [Array.from(predictions), probabilities && Array.from(probabilities)];
const rowsOf = (options) => (options.data ?? [X])[0].slice(0, 100);
const file = (name) => join(folder, name);
const told = {};
for (const [name, [options, runner = {}, loading = {}]] of Object.entries(KINDS)) {
  const places = [0, 1].map((fold) => file(`${name}/fold-${fold}`));
  const all = [file(`${name}/all`), file(`${name}/ensemble`), ...places];
  const combine = name === 'forest' ? 'vote' : 'mean';
  if (what === 'save') {
    const cv = {
      cvSplitter: new StratifiedKFold({ nSplits: 2, shuffle: true, bins: name === 'median' ? 5 : undefined }),
    };
    const results = await new UniversalCVRunner({ ...cv, ...runner, verbose: 0 }).run({
      data: [X, y],
      refit: true,
      keepModels: 'save',
      modelPath: `${file(name)}/{fold}`,
      ...options,
    });
    const together = await ensemble(results, { combine });
    await results.refitted.save(all[0]);
    await together.save(all[1]);
    const folds = results.indices.map(({ test }, fold) => {
      const few = [...test.keys()].slice(0, 50);
      const width = results.probabilities[fold] ? results.probabilities[fold].length / test.length : 0;
      return {
        rows: few.map((at) => test[at]),
        given: plain({
          predictions: few.map((at) => results.predictions[fold][at]),
          probabilities: results.probabilities[fold]?.slice(0, few.length * width),
        }),
      };
    });
    const given = [
      plain(await results.refitted.predict(rowsOf(options))),
      plain(await together.predict(rowsOf(options))),
    ];
    await writeFile(file(`${name}.json`), JSON.stringify({ given, folds }));
    told[name] = all.length;
  } else {
    const { given, folds } = JSON.parse(await readFile(file(`${name}.json`), 'utf8'));
    const data = (options.data ?? [X])[0];
    const expected = [...given, ...folds.map((fold) => fold.given)];
    const rows = [rowsOf(options), rowsOf(options), ...folds.map((fold) => fold.rows.map((row) => data[row]))];
    let same = 0;
    for (const [at, place] of all.entries()) {
      const model = await loadModel(place, loading);
      if (JSON.stringify(plain(await model.predict(rows[at]))) === JSON.stringify(expected[at])) same++;
      // The same in a Blob, where the adapter can.
      if (name !== 'adapter') {
        const again = await loadModel(await model.toBlob(), loading);
        if (JSON.stringify(plain(await again.predict(rows[at]))) !== JSON.stringify(expected[at])) same--;
        await again.dispose();
      }
      await model.dispose();
    }
    const later = await ensemble(places, { combine, ...loading });
    if (JSON.stringify(plain(await later.predict(rows[1]))) === JSON.stringify(expected[1])) same++;
    told[name] = same;
  }
}
console.log(JSON.stringify(told));
