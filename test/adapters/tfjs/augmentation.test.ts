import { describe, expect } from 'vitest';
import { labelsOf } from '../../../src/data/labels.js';
import type { Augment, Batch, FitOptions } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, itOn, learn, network, stack, table, tf, weightsOf } from '../../helpers/tfjsModels.js';

const { X, y } = table(24);
const start = network();
const OPTIONS: Partial<FitOptions> = { epochs: 2, batchSize: 10, optimizer: 'sgd', lossFn: 'binaryCrossentropy' };

async function trained(augment: Augment | undefined, options: Partial<FitOptions> = {}, batch: Batch = batchOf(X, y)) {
  const model = network();
  model.setWeights(start.getWeights());
  const { epochs } = await learn(model, batch, { ...OPTIONS, augment, ...options } as FitOptions);
  return { epochs, weights: weightsOf(model) };
}

describe.each(['cpu', 'wasm'])('augmentation on %s', (backend) => {
  itOn(backend, 'trains on what it returns', async () => {
    const doubled = await trained(({ X }) => ({ X: tf.mul(X, 2) }));
    const twice = X.map((row) => row.map((value) => 2 * value));
    expect(doubled).toEqual(await trained(undefined, {}, batchOf(twice, y)));
    const flipped = await trained(({ y }) => ({ y: tf.sub(1, y) }));
    const others = y.map((label) => 1 - label);
    expect(flipped).toEqual(await trained(undefined, {}, batchOf(X, others)));
    expect(await trained(() => ({}))).toEqual(await trained(undefined));
  });

  itOn(backend, 'sees every training row once per epoch, and no other row', async () => {
    const seen: number[][][] = [[], []];
    const far = X.map((row) => row.map((value) => value + 100));
    const augment: Augment = ({ X }, { epoch }) => {
      seen[epoch].push(...(X.arraySync() as number[][]));
      return {};
    };
    await trained(augment, { validation: batchOf(far, y) });
    const sorted = (rows: number[][]) => rows.map(([first]) => Math.fround(first)).sort((a, b) => a - b);
    for (const rows of seen) expect(sorted(rows)).toEqual(sorted(X));
  });

  itOn(backend, 'draws from the fold, the epoch and the batch, and moves no other draw', async () => {
    const draws: number[][] = [];
    const noisy: Augment = ({ X }, { epoch, batch, random }) => {
      draws.push([epoch, batch, random.random(), Math.random()]);
      return { X: tf.add(X, tf.randomNormal(X.shape, 0, 0.1)) };
    };
    const once = await trained(noisy);
    const first = draws.splice(0);
    const places = first.map(([epoch, batch]) => `${epoch}.${batch}`);
    expect(places).toEqual(['0.0', '0.1', '0.2', '1.0', '1.1', '1.2']);
    expect(new Set(first.flatMap(([, , own, global]) => [own, global])).size).toBe(12);
    expect(await trained(noisy)).toEqual(once);
    expect(draws).toEqual(first);
    expect((await trained(noisy, { seed: 8 })).weights).not.toEqual(once.weights);
    // Dropout after an augmentation that draws is dropout without one.
    const drawing: Augment = (_, { random }) => {
      random.random();
      Math.random();
      return {};
    };
    expect(await masksOf(drawing)).toEqual(await masksOf());
  });

  itOn(backend, 'frees what it makes, also when it throws', async () => {
    const model = network();
    const run = (augment: Augment) => learn(model, batchOf(X, y), { ...OPTIONS, augment });
    await run(() => ({}));
    const before = tf.memory().numTensors;
    await run(({ X }) => ({ X: tf.add(tf.mul(X, 2), 1) }));
    const failing = run(({ X }) => {
      tf.keep(tf.add(X, 1));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(tf.memory().numTensors).toBe(before);
  });

  itOn(backend, 'lets it keep tensors of its own from batch to batch', async () => {
    let last: tf.Tensor | undefined;
    const seen: number[] = [];
    await trained(({ X }) => {
      if (last) seen.push(last.dataSync()[0]);
      last?.dispose();
      last = tf.keep(tf.mean(X));
      return {};
    });
    expect(seen.length).toBe(5);
    last?.dispose();
  });
});

/** Weights after training with dropout, which show its masks. */
async function masksOf(augment?: Augment) {
  const model = stack(
    tf.layers.dense({ units: 8, inputShape: [3], kernelInitializer: 'ones' }),
    tf.layers.dropout({ rate: 0.5 }),
    tf.layers.dense({ units: 1, activation: 'sigmoid', kernelInitializer: 'ones' }),
  );
  await learn(model, batchOf(X, y), { ...OPTIONS, augment } as FitOptions);
  return weightsOf(model);
}

describe('several inputs and outputs', () => {
  itOn('cpu', 'are records by name, of which a part may be changed', async () => {
    const [image, age] = [tf.input({ shape: [2], name: 'image' }), tf.input({ shape: [1], name: 'age' })];
    const both = tf.layers.concatenate().apply([image, age]);
    const head = (name: string) => tf.layers.dense({ units: 1, name }).apply(both) as tf.SymbolicTensor;
    const model = tf.model({ inputs: [image, age], outputs: [head('dose'), head('size')] });
    const data = { image: X.map(([a, b]) => [a, b]), age: X.map(([, , c]) => [c]) };
    const numbers = X.map(([a]) => a + 0.125);
    const batch = batchOf(data, numbers, { auxiliary: { size: labelsOf(numbers) } });
    const keys: string[][] = [];
    const augment: Augment = ({ X, y }) => {
      keys.push(Object.keys(X), Object.keys(y));
      return { X: { image: tf.zerosLike(X.image) } };
    };
    const options = { ...OPTIONS, epochs: 1, batchSize: 24, lossFn: 'meanSquaredError', augment };
    const before = weightsOf(model);
    await learn(model, batch, options);
    expect(keys.flat()).toEqual(['image', 'age', 'dose', 'size']);
    const [kernel] = weightsOf(model);
    expect(kernel.slice(0, 2)).toEqual(before[0].slice(0, 2)); // an image of zeros teaches nothing
    expect(kernel[2]).not.toBe(before[0][2]);
  });
});
