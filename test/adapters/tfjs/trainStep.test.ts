import { beforeAll, describe, expect, it } from 'vitest';
import type { TrainSettings } from '../../../adapters/tfjs/train.js';
import { labelsOf } from '../../../src/data/labels.js';
import type { Batch, FitOptions } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, gap, itOn, learn, stack, table, tf, twoHeads, weightsOf } from '../../helpers/tfjsModels.js';
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
