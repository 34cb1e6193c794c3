/** A tfjs developer: a compiled CNN on 28 x 28 images of patients, early stopping, fold models kept out of the way. */
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping, randomSource } from 'cvkit';

const random = randomSource(3);
const size = 28;
const nPatients = 60;
const perPatient = 3;
const patientIds = [];
const y = [];
const pixels = [];
for (let patient = 0; patient < nPatients; patient++) {
  const sick = patient % 2;
  for (let image = 0; image < perPatient; image++) {
    patientIds.push(`P-${1000 + patient}`);
    y.push(sick);
    // A bar that lies in healthy patients and stands in sick ones: no summary of the grey values tells.
    const [row, column] = [8 + Math.floor(12 * random.random()), 8 + Math.floor(12 * random.random())];
    const [high, wide] = sick ? [6, 1] : [1, 6];
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const bar = Math.abs(i - row) <= high && Math.abs(j - column) <= wide ? 0.6 : 0;
        pixels.push(bar + 0.3 * random.random());
      }
    }
  }
}
const X = tf.tensor4d(pixels, [y.length, size, size, 1]);

const network = () => {
  const model = tf.sequential();
  model.add(
    tf.layers.conv2d({ inputShape: [size, size, 1], filters: 4, kernelSize: 3, strides: 2, activation: 'relu' }),
  );
  model.add(tf.layers.globalMaxPooling2d({ dataFormat: 'channelsLast' }));
  model.add(tf.layers.dense({ units: 1, activation: 'sigmoid' }));
  model.compile({ optimizer: tf.train.adam(0.05), loss: 'binaryCrossentropy', metrics: ['accuracy'] });
  return model;
};

const result = await new CVKitValidator({ nSplits: 3, randomState: 7 }).validate({
  model: network,
  X,
  y,
  patientIds,
  epochs: 30,
  batchSize: 16,
  validation: 0.2,
  callbacks: new EarlyStopping({ monitor: 'val_loss', patience: 4 }),
  verbose: 0,
});
console.log(result.summary());

// A further run leaves nothing that the first had not: an engine may keep constants of its own.
const held = tf.memory().numTensors;
await new CVKitValidator({ nSplits: 2, checkLeakage: false, checkBalance: false }).validate({
  model: network,
  X,
  y,
  patientIds,
  verbose: 0,
});
console.log(
  JSON.stringify({
    status: result.overallStatus,
    auc: result.estimates.roc_auc,
    epochs: result.foldDetails.map(({ epochs }) => epochs),
    fitted: result.foldDetails.map(({ nFitted }) => nFitted),
    leftTensors: tf.memory().numTensors - held,
    method: result.manifest.splitter,
    json: JSON.stringify(result.toJSON()).includes('P-10'),
  }),
);
