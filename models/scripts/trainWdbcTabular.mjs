/** Writes models/trained/wdbc-tabular: the tabular network, trained on four fifths of the bundled WDBC rows. */
import { rmSync } from 'node:fs';
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { tabularNetwork } from '../tabularNetwork.mjs';
import { describe, trained } from './describe.mjs';

const NAME = 'wdbc-tabular';
const { X, y } = await loadCancerImaging();
// A model that is there would keep its file names until the new one is whole.
rmSync(trained(NAME), { recursive: true, force: true });
const results = await new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
  adapterOptions: { backend: 'wasm' },
  verbose: 0,
}).run({
  model: (ctx) => tabularNetwork(tf, ctx),
  data: [X, y],
  folds: [0],
  epochs: 60,
  optimizer: tf.train.adam(0.005),
  lossFn: 'binaryCrossentropy',
  metrics: ['accuracy', 'roc_auc'],
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 8 })],
  keepModels: 'save',
  modelPath: trained(NAME),
});
describe(NAME, {
  script: 'models/scripts/trainWdbcTabular.mjs',
  data: 'the bundled WDBC rows, as loadCancerImaging() gives them; predictions are P(1)',
  results,
});
console.log(results.summary());
