/** The runner with real TensorFlow.js networks: determinism, isolation, nothing left behind. */
import * as tf from '@tensorflow/tfjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs } from '../helpers/nearestMean.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs(60);
const splitter = () => new KFold({ nSplits: 5, shuffle: true, randomState: 3 });

/** Unseeded weights and dropout: only the runner makes them reproducible. */
const network = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape: [2], units: 8, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.3 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

const run = (backend: string, options: Partial<RunOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: splitter(), adapterOptions: { backend }, verbose: 0 }).run({
    model: network,
    data: [X, y],
    epochs: 5,
    batchSize: 16,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    metrics: ['accuracy', 'roc_auc'],
    ...options,
  });

let tensorsBefore = 0;
beforeEach(() => {
  tensorsBefore = tf.memory().numTensors;
});
afterEach(() => expect(tf.memory().numTensors).toBe(tensorsBefore));

describe.each(['cpu', 'wasm'])('on %s', (backend) => {
  it('gives the same numbers twice, bit for bit, and names the backend', async () => {
    const [first, second] = [await run(backend), await run(backend)];
    expect(second.probabilities).toEqual(first.probabilities);
    expect(second.histories).toEqual(first.histories);
    expect(first.metadata.engine.backend).toBe(backend);
    expect(first.histories[0].epochs).toHaveLength(5);
  });

  it('gives fold 2 alone what it gives inside a run, also with an optimizer instance of the caller', async () => {
    const optimizer = tf.train.adam(0.02);
    const whole = await run(backend, { optimizer });
    const alone = await run(backend, { optimizer, folds: [2] });
    expect(alone.probabilities[0]).toEqual(whole.probabilities[2]);
    expect(alone.histories[0]).toEqual(whole.histories[2]);
    expect(optimizer.iterations).toBe(0);
    optimizer.dispose();
  });

  it('gives two runs at once what they give one after the other, and blames neither for the tensors of the other', {
    tags: 'slow',
  }, async () => {
    const tick = () => new Promise((done) => setTimeout(done, 1));
    const slowly = async () => {
      await tick();
      const model = network();
      for (let i = 0; i < 4; i++) {
        model.add(tf.layers.dense({ units: 1, activation: 'sigmoid' }));
        await tick();
      }
      model.compile({ optimizer: tf.train.adam(0.02), loss: 'binaryCrossentropy' });
      return model;
    };
    const slow = { model: slowly, optimizer: undefined, lossFn: undefined };
    const slower = { ...slow, epochs: 8, callbacks: [{ onEpochEnd: async () => void (await tick()) }] };
    const serial = [await run(backend, slow), await run(backend, slower)];
    const both = await Promise.all([run(backend, slow), run(backend, slower)]);
    expect(both.map(({ probabilities }) => probabilities)).toEqual(serial.map(({ probabilities }) => probabilities));
    expect(both.map(({ histories }) => histories)).toEqual(serial.map(({ histories }) => histories));
    expect(both.flatMap(({ metadata }) => metadata.warnings)).toEqual([]);
  });

  it('keeps to validation rows of the training fold', { tags: 'slow' }, async () => {
    const callbacks = [new EarlyStopping({ patience: 1 })];
    const results = await run(backend, { validation: 0.25, callbacks, epochs: 30 });
    expect(Object.keys(results.histories[0].epochs[0])).toContain('val_loss');
  });

  it('copies an instance: every fold starts from the weights it had, and it keeps them', async () => {
    const instance = network();
    const before = instance.getWeights().map((weight) => Array.from(weight.dataSync()));
    const whole = await run(backend, { model: instance });
    const alone = await run(backend, { model: instance, folds: [2] });
    expect(alone.probabilities[0]).toEqual(whole.probabilities[2]);
    expect(instance.getWeights().map((weight) => Array.from(weight.dataSync()))).toEqual(before);
    instance.dispose();
  });

  it('takes tensors as they are and leaves them to the caller', async () => {
    const [tensorX, tensorY] = [tf.tensor2d(X), tf.tensor2d(y, [y.length, 1])];
    const fromTensors = await run(backend, { data: [tensorX, tensorY] });
    expect(fromTensors.probabilities).toEqual((await run(backend)).probabilities);
    expect(tensorX.isDisposed || tensorY.isDisposed).toBe(false);
    tensorX.dispose();
    tensorY.dispose();
  });

  it.each<[string, Partial<RunOptions>, RegExp]>([
    [
      'a callback that throws',
      { callbacks: [{ name: 'bad', onEpochEnd: () => Promise.reject(new Error('boom')) }] },
      /onEpochEnd hook of the callback bad/,
    ],
    ['no optimizer', { optimizer: undefined }, /optimizer/],
    ['no loss', { lossFn: undefined }, /lossFn/],
    ['NaN in X', { data: [X.map((row, i) => (i === 4 ? [Number.NaN, 1] : row)), y] }, /row/],
    ['a learning rate that explodes', { optimizer: tf.train.sgd(1e30), lossFn: 'meanSquaredError', epochs: 20 }, /./],
  ])('releases every tensor after %s', async (_name, options, message) => {
    const text = await thrown(() => run(backend, options));
    if (_name !== 'a learning rate that explodes') expect(text).toMatch(message);
  });

  it('releases every tensor after an abort', async () => {
    const controller = new AbortController();
    const callbacks = [{ onEpochEnd: () => void controller.abort() }];
    await expect(run(backend, { signal: controller.signal, callbacks })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

it('the quick start of the README just works', async () => {
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 5 }), verbose: 0 });
  const results = await runner.run({
    model: () =>
      tf.sequential({
        layers: [
          tf.layers.dense({ inputShape: [2], units: 8, activation: 'relu' }),
          tf.layers.dense({ units: 1, activation: 'sigmoid' }),
        ],
      }),
    data: [X, y],
    epochs: 10,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
  });
  expect(results.metadata.engine.backend).toBe('wasm');
  expect(results.scores.accuracy).toHaveLength(5);
});

oneByOne('tensors do not grow from fold to fold', async () => {
  const seen: number[] = [];
  const optimizer = tf.train.adam(0.01);
  await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 10 }), verbose: 0 }).run({
    model: network,
    data: [X, y],
    optimizer,
    lossFn: 'binaryCrossentropy',
    callbacks: [{ onFoldEnd: () => void seen.push(tf.memory().numTensors) }],
  });
  optimizer.dispose();
  expect(seen).toHaveLength(10);
  expect(new Set(seen).size).toBe(1);
});
