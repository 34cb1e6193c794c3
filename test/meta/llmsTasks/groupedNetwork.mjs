// Validate a TensorFlow.js network on patients with several rows, stopping each fold early.
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping, GroupKFold, generateTemporalPatientData } from 'cvkit';
import { SimpleImputer, StandardScaler } from 'cvkit/preprocessing';

const { X, y, groups } = generateTemporalPatientData();
const validator = new CVKitValidator({ metrics: ['roc_auc', 'brier'], randomState: 1 });
const result = await validator.validate({
  model: ({ inputShape }) =>
    tf.sequential({
      layers: [
        tf.layers.dense({ inputShape, units: 8, activation: 'relu' }),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      ],
    }),
  X,
  y,
  patientIds: groups,
  cv: new GroupKFold({ nSplits: 5, randomState: 1 }),
  preprocessing: [new SimpleImputer(), new StandardScaler()],
  epochs: 10,
  optimizer: 'adam',
  lossFn: 'binaryCrossentropy',
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 3 })],
  verbose: 0,
});
console.log(result.estimates.roc_auc, result.confidenceIntervals.roc_auc.lower, result.overallStatus);
