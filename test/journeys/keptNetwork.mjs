/** A tfjs developer after the first run: early stopping, the models of the folds, a final model on disk, a report that others can check. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping, ensemble, loadCancerImaging, loadModel } from 'cvkit';
import { StandardScaler } from 'cvkit/preprocessing';

const folder = process.env.JOURNEY_FOLDER ?? (await mkdtemp(join(tmpdir(), 'network-')));
const { X, y } = await loadCancerImaging();
const network = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [30], units: 8, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.2 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

// What the engine keeps for itself from its first run on is not counted.
const training = { optimizer: tf.train.adam(0.02), lossFn: 'binaryCrossentropy' };
await new CVKitValidator({ nSplits: 2, checkLeakage: false, checkBalance: false }).validate({
  model: network,
  X,
  y,
  ...training,
  verbose: 0,
});
const held = tf.memory().numTensors;
const result = await new CVKitValidator({ nSplits: 3, randomState: 7, independentRows: true }).validate({
  model: network,
  X,
  y,
  preprocessing: new StandardScaler(),
  epochs: 60,
  ...training,
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 3 })],
  keepModels: 'memory',
  refit: true,
  verbose: 0,
});
console.log(result.summary());
console.log(result.refitted.note);

const html = await result.toHTML();
await writeFile(join(folder, 'report.html'), html);
await writeFile(join(folder, 'report.md'), result.toMarkdown());
await writeFile(join(folder, 'result.json'), JSON.stringify(result.toJSON()));

// The models of the folds predict what the table says.
const { row, fold, yProba } = result.outOfFold;
let difference = 0;
for (const [k, { preprocessing, model }] of result.models.entries()) {
  const places = [...row.keys()].filter((at) => fold[at] === k);
  const prepared = await preprocessing.transform(places.map((at) => X[row[at]]));
  const risks = tf.tidy(() => model.predict(tf.tensor2d(prepared)).dataSync());
  places.forEach((at, i) => {
    difference = Math.max(difference, Math.abs(risks[i] - yProba[at]));
  });
}

// The mean of the models of the folds, as `ensemble` gives it, and by hand.
const few = X.slice(0, 5);
const together = await ensemble(result);
console.log(together.summary());
const { probabilities: ofAll } = await together.predict(few);
const byHand = [0, 0, 0, 0, 0];
for (const { preprocessing, model } of result.models) {
  const prepared = await preprocessing.transform(few);
  tf.tidy(() => model.predict(tf.tensor2d(prepared)).dataSync()).forEach((risk, i) => {
    byHand[i] += risk / result.models.length;
  });
}

// The final model, saved and read again.
await result.refitted.save(join(folder, 'final'));
const again = await loadModel(join(folder, 'final'));
const [before, after] = [await result.refitted.predict(few), await again.predict(few)];
console.log(ofAll, before, after);

// A reviewer recomputes the scores from the file alone.
const { outOfFold: table, estimates } = JSON.parse(await readFile(join(folder, 'result.json'), 'utf8'));
const auc = (k) => {
  const own = table.row.flatMap((_, at) => (table.fold[at] === k ? [at] : []));
  const [cases, controls] = [own.filter((at) => table.yTrue[at] === 1), own.filter((at) => table.yTrue[at] === 0)];
  let wins = 0;
  for (const a of cases) for (const b of controls) wins += (Math.sign(table.yProba[a] - table.yProba[b]) + 1) / 2;
  return wins / (cases.length * controls.length);
};
const best = result.histories.map(({ epochs }) => {
  const losses = epochs.map((logs) => logs.val_loss);
  return losses.indexOf(Math.min(...losses));
});
const noModel = result.toJSON().models === undefined;
for (const model of [together, result.refitted, again, ...result.models.map((kept) => kept.model)])
  await model.dispose();
if (!process.env.JOURNEY_FOLDER) await rm(folder, { recursive: true });
console.log(
  JSON.stringify({
    status: result.overallStatus,
    difference,
    auc: [estimates.roc_auc, (auc(0) + auc(1) + auc(2)) / 3],
    accuracy: [estimates.accuracy, table.yTrue.filter((label, at) => label === table.yPred[at]).length / y.length],
    epochs: result.foldDetails.map(({ epochs }) => epochs),
    kept: result.foldDetails.map(({ keptEpoch }) => keptEpoch),
    best,
    fitted: result.foldDetails.map(({ nTrain, nFitted, nValidation }) => [nTrain, nFitted, nValidation]),
    note: result.refitted.note,
    ensemble: byHand.map((risk, i) => Math.abs(risk - ofAll[i])),
    again: [...before.probabilities].map((risk, i) => Math.abs(risk - after.probabilities[i])),
    leftTensors: tf.memory().numTensors - held,
    noModel,
    external: /(src|href)="https?:|<script/.test(html),
  }),
);
