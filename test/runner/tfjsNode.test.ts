/** The runner on tfjs-node. Its native binding is a download or a build of its own, so these are skipped without it. */
import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { createTfjsAdapter } from '../../adapters/tfjs/index.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { hasTfjsNode } from '../helpers/tfjsNode.js';

const [ROWS, SIZE] = [24, 8];
const y = Array.from({ length: ROWS }, (_, i) => i % 2);
const data = Float32Array.from({ length: ROWS * SIZE ** 2 }, (_, i) => Math.sin(i) + y[Math.floor(i / SIZE ** 2)]);
const images = { data, shape: [ROWS, SIZE, SIZE, 1] };
const numbers = { data, shape: [ROWS, SIZE ** 2] };

const convolutional = () =>
  tf.sequential({
    layers: [
      tf.layers.conv2d({ inputShape: [SIZE, SIZE, 1], filters: 2, kernelSize: 3, activation: 'relu' }),
      tf.layers.flatten(),
      tf.layers.dropout({ rate: 0.2 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
const dense = () =>
  tf.sequential({ layers: [tf.layers.dense({ inputShape: [SIZE ** 2], units: 1, activation: 'sigmoid' })] });

const run = (model: () => tf.LayersModel, X: typeof images, options = {}, adapterOptions = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), adapterOptions, verbose: 0 }).run({
    model,
    data: [X, y],
    epochs: 3,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    metrics: ['accuracy'],
    ...options,
  });

describe.skipIf(!hasTfjsNode)('with the native binding', () => {
  it('takes tfjs-node for convolutions and wasm for everything else', { tags: 'slow' }, async () => {
    expect((await run(convolutional, images)).metadata.engine.backend).toBe('tensorflow');
    expect((await run(dense, numbers)).metadata.engine.backend).toBe('wasm');
  });

  it('gives the same numbers twice, and a fold alone what it gives inside a run, and leaves no tensor', async () => {
    const whole = await run(convolutional, images);
    const tensors = tf.memory().numTensors;
    expect((await run(convolutional, images)).probabilities).toEqual(whole.probabilities);
    expect((await run(convolutional, images, { folds: [2] })).probabilities[0]).toEqual(whole.probabilities[2]);
    expect(tf.memory().numTensors).toBe(tensors);
  });

  it('refuses an engine whose gradients of convolutions are wrong', async () => {
    const wrong = { ...tf, grad: () => (x: tf.Tensor) => tf.zerosLike(x) };
    const open = createTfjsAdapter({ tf: wrong }).open?.({ backend: 'tensorflow' });
    await expect(open).rejects.toMatchObject({ name: 'AdapterError', code: 'wrong_engine' });
    expect(tf.memory().numTensors).toBe(0);
  });

  it('agrees with wasm to 1e-4', async () => {
    const [native, wasm] = [
      await run(convolutional, images),
      await run(convolutional, images, {}, { backend: 'wasm' }),
    ];
    native.probabilities.forEach((fold, i) => {
      fold?.forEach((p, row) => {
        expect(Math.abs(p - (wasm.probabilities[i]?.[row] as number))).toBeLessThan(1e-4);
      });
    });
  });
});

it.runIf(!hasTfjsNode)('without the native binding, convolutions train on wasm', async () => {
  expect((await run(convolutional, images)).metadata.engine.backend).toBe('wasm');
});
