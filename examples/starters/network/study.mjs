/** A TensorFlow.js network, cross-validated on 569 real patients: early stopping on rows cut from training, a report with curves. */
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping, loadCancerImaging } from 'cvkit';
import { StandardScaler } from 'cvkit/preprocessing';

const { X, y } = await loadCancerImaging();

// Called for each fold: every network is a new one.
const model = ({ inputShape }) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape, units: 16, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.2 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const result = await new CVKitValidator({ independentRows: true }).validate({
  model,
  X,
  y,
  preprocessing: new StandardScaler(), // fitted in each fold on its training rows
  epochs: 60,
  optimizer: 'adam',
  lossFn: 'binaryCrossentropy',
  validation: 0.2, // cut from the training rows of each fold, and watched
  callbacks: [new EarlyStopping({ patience: 5 })],
});
console.log(result.summary());
await result.writeReport('report.html');
console.log('\nWrote report.html');
