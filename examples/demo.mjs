/**
 * `npm run demo`: cross-validates a TensorFlow.js network on the 569 real tumours of the bundled WDBC data, prints the
 * summary, and writes report.html into the current folder.
 */
import { writeFile } from 'node:fs/promises';
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, loadCancerImaging } from 'cvkit';
import { StandardScaler } from 'cvkit/preprocessing';

const dataset = await loadCancerImaging();
console.log(`${dataset.description}\n`);

const network = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [30], units: 16, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.2 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const result = await new CVKitValidator({
  method: 'stratified_kfold',
  nSplits: 5,
  metrics: ['accuracy', 'roc_auc', 'sensitivity', 'specificity', 'precision', 'f1', 'brier'],
  independentRows: true, // one row per patient
}).validate({
  model: network,
  ...dataset,
  preprocessing: new StandardScaler(), // fitted in each fold on its training rows
  epochs: 40,
  optimizer: 'adam',
  lossFn: 'binaryCrossentropy',
});

console.log(result.summary());
await writeFile('report.html', await result.toHTML());
console.log('\nWrote report.html');
