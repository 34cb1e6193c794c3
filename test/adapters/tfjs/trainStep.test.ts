import { beforeAll, describe, expect, it } from 'vitest';
import { fromCaller } from '../../../adapters/tfjs/callerStep.js';
import { disposeModel } from '../../../adapters/tfjs/model.js';
import type { TrainSettings } from '../../../adapters/tfjs/train.js';
import { InvalidOptionError } from '../../../src/core/errors.js';
import { labelsOf } from '../../../src/data/labels.js';
import type { Batch, FitOptions, TrainStepContext } from '../../../src/runner/frameworkAdapter.js';
import {
  batchOf,
  gap,
  itOn,
  learn,
  network,
  stack,
  table,
  tf,
  twoHeads,
  viewOf,
  weightsOf,
} from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(12);
const sizes = X.map(([a, b]) => a - 2 * b + 0.25);
const RATE = 0.1;

const twoTargets = (parts: Partial<Batch> = {}) => batchOf(X, y, { auxiliary: { size: labelsOf(sizes) }, ...parts });

const ONE_STEP: Partial<FitOptions> = { epochs: 1, batchSize: 100 };
const run = (model: tf.LayersModel, batch: Batch, options: Partial<FitOptions> = {}, settings: TrainSettings = {}) =>
  learn(model, batch, { ...ONE_STEP, ...options }, settings);

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe.each(['cpu', 'wasm'])('the step for several outputs on %s', (backend) => {
  // From weights of 0: p = 0.5, so d(cross-entropy)/dz = 0.5 - y; size = 0, so d(squared error)/dz = -2 size.
  const byHand = (weights: number[], scale = 1) => {
    const step = (slopes: number[]) => [
      ...[0, 1, 2].map((column) => -RATE * mean(slopes.map((slope, row) => weights[row] * slope * X[row][column]))),
      -RATE * mean(slopes.map((slope, row) => weights[row] * slope)),
    ];
    return {
      tumour: step(y.map((label) => 0.5 - label)),
      size: step(sizes.map((size) => -2 * size * scale)),
      loss: { tumour: Math.log(2) * mean(weights), size: mean(sizes.map((size, row) => weights[row] * size ** 2)) },
    };
  };
  const ones = y.map(() => 1);

  itOn(backend, 'sums the mean losses of the outputs', async () => {
    const model = twoHeads({ rate: RATE });
    const { epochs } = await run(model, twoTargets());
    const expected = byHand(ones);
    const [tumour, tumourBias, size, sizeBias] = weightsOf(model);
    expect(gap([...tumour, ...tumourBias], expected.tumour)).toBeLessThan(1e-6);
    expect(gap([...size, ...sizeBias], expected.size)).toBeLessThan(1e-6);
    expect(Object.keys(epochs[0])).toEqual(['loss', 'tumour_loss', 'size_loss']);
    expect(epochs[0].tumour_loss).toBeCloseTo(expected.loss.tumour, 5);
    expect(epochs[0].size_loss).toBeCloseTo(expected.loss.size, 5);
    expect(epochs[0].loss).toBeCloseTo(expected.loss.tumour + expected.loss.size, 5);
  });

  itOn(backend, 'weighs rows in all outputs, classes in that of y, and outputs by lossWeights', async () => {
    const model = twoHeads({ rate: RATE });
    const sampleWeight = Float64Array.from(y, (_, row) => (row < 4 ? 2 : 0.5)); // mean 1
    const options = { classWeight: { 0: 1, 1: 3 } };
    const { epochs } = await run(model, twoTargets({ sampleWeight }), options, { lossWeights: { size: 0.25 } });
    const rows = Array.from(sampleWeight);
    const classes = rows.map((weight, row) => weight * (y[row] ? 3 : 1));
    const [tumour, tumourBias, size, sizeBias] = weightsOf(model);
    expect(gap([...tumour, ...tumourBias], byHand(classes).tumour)).toBeLessThan(1e-6);
    expect(gap([...size, ...sizeBias], byHand(rows, 0.25).size)).toBeLessThan(1e-6);
    const [a, b] = [byHand(classes).loss.tumour, byHand(rows).loss.size];
    expect(epochs[0].size_loss).toBeCloseTo(b, 5);
    expect(epochs[0].loss).toBeCloseTo(a + 0.25 * b, 5);
  });

  itOn(backend, 'logs validation losses and metrics of every output, as evaluate does', async () => {
    const model = twoHeads({ metrics: { tumour: ['accuracy'], size: ['mae'] } });
    const { epochs } = await run(model, twoTargets(), { validation: twoTargets() });
    const names = ['loss', 'tumour_loss', 'size_loss', 'tumour_acc', 'size_mae'];
    expect(Object.keys(epochs[0])).toEqual([...names, ...names.map((name) => `val_${name}`)]);
    const found = tf.tidy(() => {
      const targets = [tf.tensor2d(y, [12, 1]), tf.tensor2d(sizes, [12, 1])];
      const scores = model.evaluate(tf.tensor2d(X), targets) as tf.Scalar[];
      return scores.map((score) => score.dataSync()[0]);
    });
    // evaluate of tfjs gives a running sum of the losses first, one entry per output; its last one is the loss.
    found.splice(0, 1);
    names.forEach((name, at) => void expect(epochs[0][`val_${name}`]).toBeCloseTo(found[at], 5));
  });

  itOn(backend, 'adds losses of pixels to losses of rows', async () => {
    const input = tf.input({ shape: [2, 2, 1] });
    const conv = { filters: 1, kernelSize: 1, kernelInitializer: 'zeros' as const };
    const mask = tf.layers.conv2d({ ...conv, activation: 'sigmoid', name: 'mask' }).apply(input);
    const flat = tf.layers.flatten().apply(input);
    const size = tf.layers.dense({ units: 1, name: 'size', kernelInitializer: 'zeros' }).apply(flat);
    const model = tf.model({ inputs: input, outputs: [mask, size] as tf.SymbolicTensor[] });
    const images = { data: Float32Array.of(1, 2, 3, 4, 0, 1, 1, 0), shape: [2, 2, 2, 1] };
    const masks = { data: Uint8Array.of(1, 0, 0, 0, 1, 1, 1, 0), shape: [2, 2, 2] };
    const batch = batchOf(images, masks, { auxiliary: { size: labelsOf([1.5, -0.5]) } });
    const lossFn = { mask: 'binaryCrossentropy', size: 'meanSquaredError' };
    const { epochs } = await run(model, batch, { lossFn, optimizer: tf.train.sgd(RATE) });
    // (1.5^2 + 0.5^2) / 2 = 1.25 for the sizes.
    expect(epochs[0].loss).toBeCloseTo(Math.log(2) + 1.25, 5);
    // Slope of the mask's kernel: mean over rows and pixels of (0.5 - mask) x.
    const pixels = Array.from(images.data, (x, at) => (0.5 - masks.data[at]) * x);
    const [kernel] = weightsOf(model);
    expect(kernel[0]).toBeCloseTo(-RATE * mean(pixels), 6);
  });
});

describe('losses that are functions', () => {
  beforeAll(() => void tf.setBackend('cpu'));
  const masks = X.map((row) => [[row[0] > 0 ? 1 : 0, 1, 0]]);
  const pixelwise = () =>
    stack(
      tf.layers.dense({ units: 3, activation: 'sigmoid', inputShape: [3], kernelInitializer: 'zeros' }),
      tf.layers.reshape({ targetShape: [1, 3] }),
    );
  const squares = (yTrue: tf.Tensor, yPred: tf.Tensor) => tf.square(tf.sub(yTrue, yPred));
  const sampleWeight = Float64Array.from(X, (_, row) => 0.5 + (row % 2)); // mean 1
  const trained = async (lossFn: unknown, parts: Partial<Batch> = {}) => {
    const model = pixelwise();
    const { epochs } = await run(model, batchOf(X, masks, parts), { lossFn, optimizer: 'sgd' });
    return { loss: epochs[0].loss, weights: weightsOf(model).flat() };
  };

  it('may give one value per pixel, per row, or for the batch', async () => {
    const pixels = await trained(squares);
    // Every prediction is 0.5 at first, so every square is 0.25.
    expect(pixels.loss).toBeCloseTo(0.25, 6);
    for (const lossFn of [
      (a: tf.Tensor, b: tf.Tensor) => tf.mean(squares(a, b), [1, 2]),
      (a: tf.Tensor, b: tf.Tensor) => tf.mean(squares(a, b)),
      'meanSquaredError',
    ]) {
      const other = await trained(lossFn);
      expect(other.loss).toBeCloseTo(0.25, 6);
      expect(gap(other.weights, pixels.weights)).toBeLessThan(1e-6);
    }
  });

  it('weighs the rows of pixels and of rows alike, and refuses to weigh a value for the batch', async () => {
    const pixels = await trained(squares, { sampleWeight });
    const rows = await trained((a: tf.Tensor, b: tf.Tensor) => tf.mean(squares(a, b), [1, 2]), { sampleWeight });
    expect(gap(pixels.weights, rows.weights)).toBeLessThan(1e-6);
    expect(gap(pixels.weights, (await trained(squares)).weights)).toBeGreaterThan(1e-4);
    const total = (a: tf.Tensor, b: tf.Tensor) => tf.mean(squares(a, b));
    expect(await thrown(() => trained(total, { sampleWeight }))).toMatch(/\(unweightable_loss\): .*`lossFn`/);
    const flat = (a: tf.Tensor, b: tf.Tensor) => tf.reshape(squares(a, b), [-1]);
    expect(await thrown(() => trained(flat, { sampleWeight }))).toMatch(/\(unweightable_loss\): .*`lossFn`.*\[36\]/);
  });

  it('trains a dice loss of the whole batch', async () => {
    const dice = (a: tf.Tensor, b: tf.Tensor) =>
      tf.sub(1, tf.div(tf.mul(2, tf.sum(tf.mul(a, b))), tf.add(tf.sum(a), tf.sum(b))));
    const model = pixelwise();
    const options = { lossFn: dice, optimizer: tf.train.adam(0.1), epochs: 40 };
    const { epochs } = await run(model, batchOf(X, masks), options);
    expect(epochs[39].loss).toBeLessThan(0.1);
  });
});

describe('a step of the caller', () => {
  beforeAll(() => void tf.setBackend('cpu'));
  const crossEntropy = ({ model, optimizer, x, y: targets }: TrainStepContext) =>
    optimizer.minimize(() => tf.losses.sigmoidCrossEntropy(targets, logit(model.apply(x, { training: true }))), true);
  const logit = (p: tf.Tensor) => tf.log(tf.div(p, tf.sub(1, p)));
  const start = network();

  const copy = () => {
    const model = network();
    model.setWeights(start.getWeights());
    return model;
  };
  const options = { epochs: 3, batchSize: 5, optimizer: tf.train.sgd(0.5) };

  it('trains as the step with the same loss, without an option for it', async () => {
    const [own, ours] = [copy(), copy()];
    const { epochs } = await run(own, batchOf(X, y), options, { trainStep: crossEntropy });
    const expected = await run(ours, batchOf(X, y), { ...options, lossFn: 'binaryCrossentropy' });
    expect(gap(weightsOf(own).flat(), weightsOf(ours).flat())).toBeLessThan(1e-5);
    expect(epochs.map(Object.keys)).toEqual([['loss'], ['loss'], ['loss']]);
    epochs.forEach(({ loss }, epoch) => void expect(loss).toBeCloseTo(expected.epochs[epoch].loss, 5));
  });

  it('logs what it returns and validates with the loss that is given', async () => {
    const trainStep = (step: TrainStepContext) => ({
      loss: crossEntropy(step),
      place: tf.scalar(step.epoch * 10 + step.batch),
    });
    const given = { ...options, lossFn: 'binaryCrossentropy', validation: batchOf(X, y) };
    const { epochs } = await run(copy(), batchOf(X, y), given, { trainStep });
    expect(Object.keys(epochs[0])).toEqual(['loss', 'place', 'val_loss']);
    // Batches of 5, 5 and 2 rows: (5 * 10 + 5 * 11 + 2 * 12) / 12.
    expect(epochs[1].place).toBeCloseTo(129 / 12, 5);
  });

  it('is given seeded numbers, weights, and records of several outputs', async () => {
    const seen: unknown[] = [];
    const trainStep = ({ model, optimizer, x, y: targets, sampleWeight, epoch, batch }: TrainStepContext) => {
      seen.push([epoch, batch, Math.random(), x.shape, Object.keys(targets), sampleWeight.shape]);
      return optimizer.minimize(() => tf.mean(tf.square(tf.sub(targets.size, model.apply(x)[1]))), true);
    };
    const settings = { trainStep };
    const batch = twoTargets({ sampleWeight: Float64Array.from(y, () => 1) });
    await run(twoHeads(), batch, { batchSize: 6 }, settings);
    const first = seen.splice(0);
    expect(first.map((each) => (each as unknown[]).toSpliced(2, 1))).toEqual([
      [0, 0, [6, 3], ['tumour', 'size'], [6]],
      [0, 1, [6, 3], ['tumour', 'size'], [6]],
    ]);
    await run(twoHeads(), batch, { batchSize: 6 }, settings);
    expect(seen).toEqual(first);
  });

  it('may leave outputs out, and tensors behind', async () => {
    const model = twoHeads();
    const trainStep = ({ model, optimizer, x, y: targets }: TrainStepContext) => {
      tf.add(x, 1);
      optimizer.setLearningRate(0.05);
      return optimizer.minimize(() => tf.mean(tf.square(tf.sub(targets, model.apply(x)[0]))), true);
    };
    const settings = { trainStep, output: 'tumour' };
    await run(model, batchOf(X, y), { epochs: 2 }, settings);
    const before = tf.memory().numTensors; // with the optimizer that the model now owns
    await run(model, batchOf(X, y), { epochs: 2 }, settings);
    expect(tf.memory().numTensors).toBe(before);
  });

  it('is held to what it returns', async () => {
    const model = copy();
    await run(model, batchOf(X, y), options, { trainStep: crossEntropy });
    const before = tf.memory().numTensors;
    const message = (trainStep: (step: TrainStepContext) => unknown) =>
      thrown(() => run(model, batchOf(X, y), options, { trainStep }));
    const results = [undefined, { accuracy: tf.scalar(1) }, { loss: tf.scalar(1), rate: 0.1 }, tf.ones([3])];
    for (const result of results) {
      expect(await message(() => result)).toContain('invalid_train_step');
      tf.dispose(result as tf.TensorContainer);
    }
    expect(await message(() => tf.scalar(Number.NaN))).toMatch(/\(not_finite\): .*epoch 0.*NaN/);
    expect(tf.memory().numTensors).toBe(before);
  });

  it('may keep a state of its own from batch to batch, and an optimizer of its own moments in records', async () => {
    const model = copy();
    let mean: tf.Tensor | undefined;
    const trainStep = (step: TrainStepContext) => {
      const loss = crossEntropy(step);
      const next = tf.keep(mean ? tf.add(tf.mul(mean, 0.9), tf.mul(loss, 0.1)) : tf.clone(loss));
      mean?.dispose();
      mean = next;
      return { loss, mean: next };
    };
    const { epochs } = await run(model, batchOf(X, y), options, { trainStep });
    expect(epochs[2].mean).toBeGreaterThan(0);
    expect(mean?.isDisposed).toBe(false);
    mean?.dispose();

    const optimizer = new Records(0.1);
    const before = tf.memory().numTensors;
    const own = copy();
    await run(own, batchOf(X, y), { ...options, optimizer }, { trainStep: crossEntropy });
    const { epochs: with2 } = await run(own, batchOf(X, y), { ...options, optimizer }, { trainStep: crossEntropy });
    expect(with2.length).toBe(3);
    disposeModel(viewOf(own));
    expect(tf.memory().numTensors).toBe(before);
  });

  it('must change the weights', async () => {
    const message = (parts: Partial<FitOptions>, trainStep: (step: TrainStepContext) => unknown) =>
      thrown(() => run(copy(), batchOf(X, y), { ...options, ...parts }, { trainStep }));
    const still = ({ model, x, y: targets }: TrainStepContext) => tf.losses.meanSquaredError(targets, model.apply(x));
    expect(await message({}, still)).toMatch(/\(invalid_train_step\): .*`trainStep`.*epoch 0/);
    expect(await message({ optimizer: tf.train.sgd(0) }, crossEntropy)).toBe('nothing thrown');
    const bias = ({ model, ...step }: TrainStepContext) => {
      model.trainableWeights
        .at(-1)
        .read()
        .assign(tf.tensor1d([step.batch]));
      return still({ model, ...step });
    };
    expect(await message({}, bias)).toBe('nothing thrown');
  });
});

/** SGD whose moments are kept tensors in a record and a list. */
class Records extends tf.SGDOptimizer {
  static override className = 'Records';
  moments: { first: Record<string, tf.Tensor>; all: tf.Tensor[]; owner?: object } = { first: {}, all: [] };
  override applyGradients(gradients: tf.NamedTensorMap) {
    super.applyGradients(gradients);
    this.moments.owner = this;
    for (const [name, gradient] of Object.entries(gradients)) {
      const old = this.moments.first[name];
      this.moments.first[name] = tf.keep(old ? tf.add(old, gradient) : tf.clone(gradient));
      if (old) old.dispose();
      else this.moments.all.push(tf.keep(tf.clone(gradient)));
    }
  }
}

describe('fromCaller', () => {
  const call = (work: () => unknown) =>
    fromCaller({ name: 'augment', must: 'return { X }', code: 'invalid_augmentation' }, work);

  it('says whose error it was, and lets errors of cvkit and aborts through', async () => {
    const fail = (error: unknown) => () => {
      throw error;
    };
    const boom = new TypeError('boom');
    expect(await thrown(() => call(fail(boom)))).toMatch(/\(invalid_augmentation\): .*`augment`/);
    expect(() => call(fail(boom))).toThrow(expect.objectContaining({ cause: boom }));
    const own = new InvalidOptionError('own');
    expect(() => call(fail(own))).toThrow(own);
    const abort = AbortSignal.abort().reason;
    expect(() => call(fail(abort))).toThrow(abort);
  });
});
