/**
 * A TensorFlow.js network with early stopping on an inner validation split, so that the test rows are seen once.
 *
 * @data wdbc.csv
 */
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, KFold, loadCancerImaging, UniversalCVRunner } from 'cvkit';
import { tabularNetwork } from '../models/tabularNetwork.mjs';
import { exampleData } from './support/data.mjs';

const { X, y } = await exampleData({
  read: (path) => loadCancerImaging({ path }),
  generate({ uniform, normal }) {
    const labels = Array.from({ length: 569 }, () => (uniform() < 0.37 ? 1 : 0));
    // Ten of the thirty features carry signal, on scales from 1 to 1000 as in the real file.
    const rows = labels.map((label) =>
      Array.from({ length: 30 }, (_, j) => 10 ** (j % 4) * (normal() + (j < 10 ? label : 0))),
    );
    return { X: rows, y: labels };
  },
});

const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 5, shuffle: true, randomState: 42 }) });
const results = await runner.run({
  // Batch normalisation at its input learns its scaling from the training rows of each fold alone.
  model: ({ inputShape, classes }) => tabularNetwork(tf, { inputShape, classes, dropout: 0 }),
  data: [X, y],
  epochs: 60,
  optimizer: 'adam',
  lossFn: 'binaryCrossentropy',
  validation: 0.2,
  callbacks: [new EarlyStopping({ monitor: 'val_loss', patience: 5 })],
});

console.log(results.summary());
console.log(`Epochs by fold: ${results.foldDetails.map(({ epochs }) => epochs).join(', ')}`);
