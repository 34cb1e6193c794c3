/** Writes models/trained/shapes-conv2d: the 2-D convolutional network, trained to tell generated shapes apart. */
import { rmSync } from 'node:fs';
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, randomSource, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { convolutional2d } from '../convolutional2d.mjs';
import { describe, trained } from './describe.mjs';
import { shapes } from './shapes.mjs';

const NAME = 'shapes-conv2d';
const { X, y } = shapes(randomSource(42), { n: 900 });
// A model that is there would keep its file names until the new one is whole.
rmSync(trained(NAME), { recursive: true, force: true });
const results = await new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
  adapterOptions: { backend: 'wasm' },
  verbose: 0,
}).run({
  // Sizes are left open, so that the features can be taken from images of any size.
  model: ({ classes }) => convolutional2d(tf, { inputShape: [null, null, 1], classes }),
  data: [X, y],
  folds: [0],
  epochs: 40,
  batchSize: 16,
  optimizer: tf.train.adam(0.005),
  lossFn: 'sparseCategoricalCrossentropy',
  metrics: ['accuracy', 'log_loss'],
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 8 })],
  keepModels: 'save',
  modelPath: trained(NAME),
});
describe(NAME, {
  script: 'models/scripts/trainShapesConv2d.mjs',
  data: 'shapes(randomSource(42), { n: 900 }) of models/scripts/shapes.mjs; predictions are of cross, disc, ring',
  results,
});
console.log(results.summary());
