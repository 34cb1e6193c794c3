import { describe, expect, it } from 'vitest';
import { tfjsAdapter } from '../../../adapters/tfjs/index.js';
import { targetNumbers } from '../../../adapters/tfjs/train.js';
import { deriveSeed, permutation, randomSource } from '../../../src/core/random.js';
import { type Labels, labelsOf } from '../../../src/data/labels.js';
import { withPositive } from '../../../src/data/positiveCode.js';
import type { Augment, Batch, EpochLogs, FitHooks, FitOptions } from '../../../src/runner/frameworkAdapter.js';
import {
  batchOf,
  fitOptions,
  gap,
  itOn,
  learn,
  NO_HOOKS,
  network,
  onBackend,
  rowSource,
  stack,
  table,
  tf,
  viewOf,
  weightsOf,
} from '../../helpers/tfjsModels.js';
import { hasTfjsNode } from '../../helpers/tfjsNode.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(24);

/** A copy of `model` trained through the adapter's loop; the model itself stays as it is. */
async function trained(model: tf.LayersModel, batch: Batch, options: Partial<FitOptions> = {}, hooks = NO_HOOKS) {
  const copy = (await tfjsAdapter.build(model, {} as never)) as tf.LayersModel;
  try {
    const { epochs } = await learn(copy, batch, options, {}, hooks);
    return { epochs, weights: weightsOf(copy) };
  } finally {
    tfjsAdapter.dispose?.(copy);
  }
}

const binary = (model: tf.Sequential, optimizer: string | tf.Optimizer = 'adam', metrics: string[] = []) => {
  model.compile({ optimizer, loss: 'binaryCrossentropy', metrics });
  return model;
};

/** The same epochs by tfjs's own `fit`, with the rows put in the adapter's order by hand. */
async function byHand(model: tf.LayersModel, { epochs, batchSize, seed, classWeight }: FitOptions) {
  const logs: EpochLogs[] = [];
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = Array.from(permutation(randomSource(deriveSeed(seed, 'rows', epoch)), X.length));
    const rows = tf.tensor2d(order.map((row) => X[row]));
    const labels = tf.tensor2d(order.map((row) => [y[row]]));
    const options = { epochs: 1, batchSize, shuffle: false, verbose: 0 as const, classWeight };
    const { history } = await model.fit(rows, labels, options);
    logs.push(Object.fromEntries(Object.entries(history).map(([name, [value]]) => [name, value as number])));
    tf.dispose([rows, labels]);
  }
  return { epochs: logs, weights: weightsOf(model) };
}

const trainsAsFit = (backend: string) =>
  itOn(backend, 'trains as LayersModel.fit does: the same weights to the bit, the same logs', async () => {
    const model = binary(network(), 'adam', ['accuracy', 'mse']);
    const options = fitOptions({ epochs: 4, batchSize: 7 });
    const ours = await trained(model, batchOf(X, y), options);
    const theirs = await byHand(model, options);
    expect(ours.weights).toEqual(theirs.weights);
    expect(ours.epochs.map(Object.keys)).toEqual(theirs.epochs.map(Object.keys));
    ours.epochs.forEach((logs, epoch) => {
      for (const name of ['loss', 'acc', 'mse']) expect(logs[name]).toBeCloseTo(theirs.epochs[epoch][name], 6);
    });
  });

describe.each(['cpu', 'wasm'])('on %s', (backend) => {
  trainsAsFit(backend);

  itOn(backend, 'trains regularisers and batch normalisation as LayersModel.fit does', async () => {
    const model = stack(
      tf.layers.dense({ units: 4, inputShape: [3], kernelRegularizer: 'l1l2' }),
      tf.layers.batchNormalization(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    );
    const options = fitOptions({ epochs: 3, batchSize: 8 });
    const ours = await trained(binary(model), batchOf(X, y), options);
    const theirs = await byHand(model, options);
    expect(ours.weights).toEqual(theirs.weights);
    expect(ours.epochs[2].loss).toBeCloseTo(theirs.epochs[2].loss, 5);
  });

  itOn(backend, 'weighs classes as LayersModel.fit does', async () => {
    const model = binary(network());
    const options = fitOptions({ epochs: 2, classWeight: { 0: 1, 1: 3 } });
    const ours = await trained(model, batchOf(X, y), options);
    expect(ours.weights).toEqual((await byHand(model, options)).weights);
  });

  itOn(backend, 'takes a weight of 2 for the row twice, in a step with all rows', async () => {
    const model = binary(network(), 'sgd');
    const sampleWeight = Float64Array.from(y, (_, row) => (row < 5 ? 2 : 1));
    const options = { epochs: 3, batchSize: 100 };
    const weighted = await trained(model, batchOf(X, y, { sampleWeight }), options);
    const twice = await trained(model, batchOf([...X, ...X.slice(0, 5)], [...y, ...y.slice(0, 5)]), options);
    const without = await trained(model, batchOf(X, y), options);
    expect(gap(weighted.weights.flat(), twice.weights.flat())).toBeLessThan(1e-6);
    expect(gap(weighted.weights.flat(), without.weights.flat())).toBeGreaterThan(1e-4);
    for (const [epoch, { loss }] of weighted.epochs.entries()) {
      expect(loss).toBeCloseTo(twice.epochs[epoch].loss, 6);
    }
  });

  itOn(backend, 'does not mind the scale of the weights', async () => {
    const model = binary(network(), 'sgd');
    const sampleWeight = Float64Array.from(y, (_, row) => 1 + (row % 3));
    const once = await trained(model, batchOf(X, y, { sampleWeight }));
    const scaled = await trained(model, batchOf(X, y, { sampleWeight: sampleWeight.map((weight) => weight * 64) }));
    expect(gap(once.weights.flat(), scaled.weights.flat())).toBeLessThan(1e-6);
  });

  it.each([
    ['unseeded', undefined],
    ['with a seed of its own', 3],
  ])('draws the masks of dropout %s from the seed, whatever else draws numbers', async (_, seed) => {
    await onBackend(backend, async () => {
      const model = stack(
        tf.layers.dense({ units: 8, inputShape: [3] }),
        tf.layers.dropout({ rate: 0.5, seed }),
        tf.layers.gaussianNoise({ stddev: 0.1 }),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      );
      binary(model);
      const draw = async () => void [Math.random(), tf.randomNormal([2]).dispose()];
      const noisy: FitHooks = { ...NO_HOOKS, onEpochStart: draw };
      const once = await trained(model, batchOf(X, y));
      expect(await trained(model, batchOf(X, y), {}, noisy)).toEqual(once);
      expect((await trained(model, batchOf(X, y), { seed: 8 })).weights).not.toEqual(once.weights);
    });
  });

  itOn(
    backend,
    'evaluates the validation rows after each epoch, as LayersModel.evaluate does, and learns nothing from them',
    async () => {
      const model = binary(network({ dropout: 0.5 }), 'adam', ['accuracy']);
      const [learn, check] = [batchOf(X.slice(0, 16), y.slice(0, 16)), batchOf(X.slice(16), y.slice(16))];
      const without = await trained(model, learn, { epochs: 1, batchSize: 5 });
      const seen = await trained(model, learn, { epochs: 1, batchSize: 5, validation: check });
      expect(seen.weights).toEqual(without.weights);
      model.setWeights(model.getWeights().map((weight, at) => tf.tensor(seen.weights[at], weight.shape)));
      const expected = (model.evaluate(tf.tensor2d(X.slice(16)), tf.tensor2d(y.slice(16), [8, 1])) as tf.Scalar[]).map(
        (value) => value.dataSync()[0],
      );
      expect(seen.epochs[0].val_loss).toBeCloseTo(expected[0], 6);
      expect(seen.epochs[0].val_acc).toBeCloseTo(expected[1], 6);
    },
  );

  itOn(backend, 'gives all memory back with every optimizer, also after errors', async () => {
    const model = network({ dropout: 0.3 });
    const { sgd, momentum, adam, adamax, adagrad, adadelta, rmsprop } = tf.train;
    const instances = [sgd(0.1), momentum(0.1, 0.9), adam(), adamax(), adagrad(0.1), adadelta(), rmsprop(0.1)];
    instances.push(rmsprop(0.1, 0.9, 0.5));
    const names = ['sgd', 'adam', 'adamax', 'adagrad', 'adadelta', 'rmsprop', 'RMSProp'];
    const before = tf.memory().numTensors;
    for (const optimizer of [...instances, ...names]) {
      await trained(model, batchOf(X, y), { optimizer, lossFn: 'binaryCrossentropy' });
      expect(tf.memory().numTensors, String(optimizer)).toBe(before);
    }
    const measured = network();
    measured.compile({ optimizer: 'sgd', loss: () => tf.scalar(1), metrics: ['accuracy'] }); // has no gradient
    const withModel = tf.memory().numTensors;
    await expect(trained(measured, batchOf(X, y))).rejects.toThrow('Cannot find a connection');
    expect(tf.memory().numTensors).toBe(withModel);
    measured.dispose();
    const no = (): never => {
      throw new Error('no');
    };
    const failing: Partial<FitOptions & { hooks: FitHooks }>[] = [
      { lossFn: () => tf.scalar(Number.NaN) },
      { lossFn: no },
      { signal: AbortSignal.abort(new Error('stop')) },
      { hooks: { ...NO_HOOKS, onEpochEnd: async () => no() } },
    ];
    for (const { hooks, ...parts } of failing) {
      const options = { optimizer: 'adam', lossFn: 'binaryCrossentropy', ...parts };
      await expect(trained(model, batchOf(X, y), options, hooks)).rejects.toThrow();
      expect(tf.memory().numTensors).toBe(before);
    }
  });
});

describe.skipIf(!hasTfjsNode)('on tensorflow (where the binding of tfjs-node is)', () => trainsAsFit('tensorflow'));

describe('the caller’s optimizer', () => {
  itOn('cpu', 'is read and left as it was', async () => {
    const optimizer = tf.train.adam(0.05);
    const picture = () => JSON.stringify(optimizer);
    const before = picture();
    const first = await trained(network(), batchOf(X, y), { optimizer, lossFn: 'binaryCrossentropy' });
    expect(first.epochs.length).toBe(2);
    expect(picture()).toBe(before);
    expect(optimizer.iterations).toBe(0);
    const weight = tf.variable(tf.scalar(1));
    optimizer.minimize(() => weight.square() as tf.Scalar);
    expect(weight.dataSync()[0]).toBeCloseTo(0.95, 5); // and it still works: the first step of Adam is its rate
  });
});

describe('the training loop', () => {
  itOn('cpu', 'lets an abort in between the batches of one epoch', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    let epochs = 0;
    const hooks: FitHooks = { ...NO_HOOKS, onEpochStart: async () => void epochs++ };
    setTimeout(() => controller.abort(reason), 5);
    const { X: many, y: labels } = table(60_000);
    const options = { batchSize: 16, epochs: 3, signal: controller.signal };
    await expect(trained(binary(network()), batchOf(many, labels), options, hooks)).rejects.toBe(reason);
    expect(epochs).toBe(1);
  });

  itOn('wasm', 'reads row sources batch by batch and trains the same', async () => {
    const model = binary(network());
    const { asked, source } = rowSource(X);
    const inMemory = await trained(model, batchOf(X, y), { epochs: 1 });
    expect(await trained(model, batchOf(source, y), { epochs: 1 })).toEqual(inMemory);
    expect(asked.map(({ length }) => length)).toEqual([8, 8, 8]);
  });

  itOn('cpu', 'shuffles the rows of a source within its blocks', async () => {
    const take = async (indices: Int32Array) => Array.from(indices, (row) => [row / 24, 0, 0]);
    const order: number[] = [];
    const augment: Augment = ({ X }) => {
      const cells = Array.from((X as tf.Tensor2D).dataSync());
      order.push(...cells.filter((_, at) => at % 3 === 0).map((cell) => Math.round(24 * cell)));
      return { X };
    };
    const source = { length: 24, window: 10, take };
    await trained(binary(network()), batchOf(source, y), { epochs: 2, augment });
    for (const from of [0, 10, 20, 24, 34, 44]) {
      const [first, size] = [from % 24, from % 24 === 20 ? 4 : 10];
      const block = order.slice(from, from + size);
      const ascending = Array.from({ length: size }, (_, at) => first + at);
      expect(block.toSorted((a, b) => a - b)).toEqual(ascending);
      if (size > 4) expect(block).not.toEqual(ascending);
    }
    expect(order.slice(0, 24)).not.toEqual(order.slice(24));
  });
});

/** An image of 4 by 4 and an age: convolution, concatenation, and a mask beside a class. */
function branches() {
  const [image, age] = [tf.input({ shape: [4, 4, 1], name: 'image' }), tf.input({ shape: [1], name: 'age' })];
  const { conv2d, concatenate, dense, flatten } = tf.layers;
  const mask = conv2d({ filters: 1, kernelSize: 3, padding: 'same', activation: 'sigmoid', name: 'mask' }).apply(image);
  const both = concatenate().apply([flatten().apply(image), age] as tf.SymbolicTensor[]);
  const tumour = dense({ units: 2, activation: 'softmax', name: 'tumour' }).apply(both);
  return tf.model({ inputs: [image, age], outputs: [mask, tumour] as tf.SymbolicTensor[] });
}

describe('several inputs and outputs', () => {
  const images = Float32Array.from({ length: 24 * 16 }, (_, at) => Math.sin(at * 1.3) + y[Math.floor(at / 16)]);
  const data = { age: X.map(([a]) => [a]), image: { data: images, shape: [24, 4, 4, 1] } };
  const masks = { data: Uint8Array.from(images, (value) => Number(value > 0.5)), shape: [24, 4, 4] };
  const lossFn = { mask: 'binaryCrossentropy', tumour: 'categoricalCrossentropy' };
  const batch = batchOf(data, y, { auxiliary: { mask: labelsOf(masks) } });
  const options = { epochs: 15, optimizer: tf.train.adam(0.02), lossFn };

  it('learn the same on every backend', async () => {
    const start = branches();
    const results: number[][] = [];
    for (const backend of ['cpu', 'wasm']) {
      await onBackend(backend, async () => {
        const model = branches();
        model.setWeights(start.getWeights());
        await learn(model, batch, { ...options, epochs: 3 });
        results.push(weightsOf(model).flat());
      });
    }
    expect(gap(results[0], results[1])).toBeLessThan(1e-4);
  });

  itOn('cpu', 'name the output without a target', async () => {
    const work = () => learn(branches(), batchOf(data, y), options, { output: 'tumour' });
    expect(await thrown(work)).toMatch(/\(model_outputs\): .*'mask'/);
  });
});

const targets = (labels: Labels, model: tf.LayersModel, loss?: string) =>
  targetNumbers(viewOf(model), { name: 'out', label: 'out', place: 0, labels }, loss);

describe('targetNumbers', () => {
  it('gives numbers as they are', () => {
    expect(targets(labelsOf([0.5, 2.25]), network(), 'meanSquaredError')).toEqual({
      data: Float32Array.of(0.5, 2.25),
      rowShape: [1],
    });
  });

  it('gives 0 and 1 for one unit, 1 being the positive class', () => {
    const one = (labels: Labels) => Array.from(targets(labels, network(), 'binaryCrossentropy').data);
    expect(one(labelsOf(['yes', 'no', 'yes']))).toEqual([1, 0, 1]);
    expect(one(labelsOf(['control', 'case', 'case']))).toEqual([0, 1, 1]); // a known pair: case is positive
    expect(one(withPositive(labelsOf(['healthy', 'cancer', 'cancer']), 0))).toEqual([0, 1, 1]);
    expect(one(withPositive(labelsOf(['healthy', 'cancer']), 1).take(Int32Array.of(0)))).toEqual([1]);
  });

  it('gives one-hot rows for one unit per class, also without a loss, and codes for the sparse loss', () => {
    const labels = labelsOf(['c', 'a', 'b']);
    const model = network({ units: 3 });
    const onehot = { data: Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0), rowShape: [3] };
    expect(targets(labels, model, 'categoricalCrossentropy')).toEqual(onehot);
    expect(targets(labels, model)).toEqual(onehot);
    expect(targets(labels, model, 'sparseCategoricalCrossentropy')).toEqual({
      data: Float32Array.of(2, 0, 1),
      rowShape: [1],
    });
  });

  it('gives the rows of many labels', () => {
    const labels = labelsOf({ data: Uint8Array.of(1, 1, 0, 1), shape: [2, 2] });
    const model = network({ units: 2, activation: 'sigmoid' });
    expect(targets(labels, model, 'binaryCrossentropy')).toEqual({ data: Float32Array.of(1, 1, 0, 1), rowShape: [2] });
  });

  it('gives masks in the shape of the output', () => {
    const masks = labelsOf({ data: Uint8Array.of(0, 1, 1, 1, 0, 0, 1, 0), shape: [2, 2, 2] });
    const model = stack(tf.layers.conv2d({ filters: 1, kernelSize: 1, activation: 'sigmoid', inputShape: [2, 2, 1] }));
    expect(targets(masks, model, 'binaryCrossentropy')).toEqual({
      data: Float32Array.of(0, 1, 1, 1, 0, 0, 1, 0),
      rowShape: [2, 2, 1],
    });
  });
});
