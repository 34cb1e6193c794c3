/** A program for a process of its own: trains on wasm, then makes a mistake that nobody catches. */
import * as tf from '@tensorflow/tfjs';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

const X = Array.from({ length: 12 }, (_, row) => [row]);
const y = X.map((_, row) => row % 2);
const model = () => tf.sequential({ layers: [tf.layers.dense({ units: 1, inputShape: [1], activation: 'sigmoid' })] });
const train = (optimizer: string) =>
  new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits: 2 }),
    adapterOptions: { backend: 'wasm' },
    verbose: 0,
  }).run({ model, data: [X, y], optimizer, lossFn: 'binaryCrossentropy' });

await train('adam');
console.log(JSON.stringify([process.listenerCount('uncaughtException'), process.listenerCount('unhandledRejection')]));
void train('adem');
