/** Short runs of the networks of models/, for their tests. */
import * as tf from '@tensorflow/tfjs';
import { deriveSeed, randomSource } from '../../src/core/random.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

/** The backends that tests always run on. */
export const BACKENDS = ['cpu', 'wasm'];

const ROWS = 24;

/** Rows of `shape` whose values are larger in class 1 (and larger again in class 2) than in class 0. */
export function rowsLike(shape: readonly number[], classes = 2) {
  const random = randomSource(deriveSeed(5, ...shape));
  const width = shape.reduce((product, size) => product * size, 1);
  const y = Array.from({ length: ROWS }, (_, row) => row % classes);
  const data = Float32Array.from({ length: ROWS * width }, (_, i) => random.random() + y[Math.floor(i / width)]);
  return { X: { data, shape: [ROWS, ...shape] }, y };
}

/** Two epochs on two folds; the tensors of tfjs are as many as before. */
export async function trainTwoEpochs(
  backend: string,
  options: Pick<RunOptions, 'model' | 'data'> & Partial<RunOptions>,
) {
  await tf.ready();
  const before = tf.memory().numTensors;
  const optimizer = tf.train.adam(0.01);
  const results = await new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits: 2 }),
    adapterOptions: { backend },
    verbose: 0,
  }).run({ epochs: 2, batchSize: 4, optimizer, lossFn: 'binaryCrossentropy', ...options });
  optimizer.dispose();
  const left = tf.memory().numTensors - before;
  return { results, left, losses: results.histories.map(({ epochs }) => epochs.map(({ loss }) => loss)) };
}
