import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repairLayers } from '../../../../adapters/tfjs/kernels/repairLayers.js';
import { prepareLayers } from '../../../../adapters/tfjs/layers.js';
import { disposeModel } from '../../../../adapters/tfjs/model.js';
import type { FitHooks } from '../../../../src/runner/frameworkAdapter.js';
import {
  batchOf,
  gap,
  itOn,
  learn as learnOn,
  NO_HOOKS,
  stack,
  table,
  tf,
  viewOf,
  weightsOf,
} from '../../../helpers/tfjsModels.js';
import { thrown } from '../../../helpers/thrown.js';

const { layers: l } = tf;
const { X, y } = table(16);
const options = { epochs: 3, optimizer: tf.train.sgd(0.5), lossFn: 'binaryCrossentropy' };
const learn = (model: tf.LayersModel, rows: unknown = X, hooks: FitHooks = NO_HOOKS, parts = {}) =>
  learnOn(model, batchOf(rows, y), { ...options, ...parts }, {}, hooks);

const images = X.map((row, at) => [0, 1, 2].map((i) => [0, 1, 2].map((j) => [Math.sin(at + 3 * i + 5 * j) + row[0]])));
const corners = images.map((image) => [image[0][0][0], image[0][2][0], image[2][0][0], image[2][2][0]]);
/** A kernel of 2 x 2 with a hole between its taps reads the corners of 3 x 3 pixels. */
const holes = () =>
  stack(
    l.conv2d({
      filters: 1,
      kernelSize: 2,
      dilationRate: 2,
      inputShape: [3, 3, 1],
      activation: 'sigmoid',
      // From an unlucky start the kernel moves less than the test wants to see.
      kernelInitializer: tf.initializers.glorotUniform({ seed: 1 }),
    }),
    l.flatten(),
  );
const normalized = (args = { scale: false, center: false }) =>
  stack(l.batchNormalization({ ...args, inputShape: [3] }), l.dense({ units: 1, activation: 'sigmoid' }));

let tensors = 0;
beforeEach(() => {
  tensors = tf.memory().numTensors;
});
afterEach(() => {
  expect(tf.memory().numTensors).toBe(tensors);
});

// The gradients of all variants are held against central differences in gradientAudit.test.ts.
describe.each(['cpu', 'wasm'])('layers that tfjs cannot differentiate train on %s', (backend) => {
  itOn(backend, 'a dilated convolution, as the dense layer that it amounts to', async () => {
    const dilated = holes();
    const dense = stack(l.dense({ units: 1, activation: 'sigmoid', inputShape: [4] }));
    const start = weightsOf(dilated);
    tf.tidy(() => dense.setWeights([tf.tensor2d(start[0], [4, 1]), tf.tensor1d(start[1])]));
    const histories = [await learn(dilated, images), await learn(dense, corners)];
    const [kernel, bias] = weightsOf(dilated);
    expect(gap(kernel, start[0])).toBeGreaterThan(0.1);
    expect(gap([...kernel, ...bias], weightsOf(dense).flat())).toBeLessThan(1e-5);
    const [ours, theirs] = histories.map(({ epochs }) => epochs.map(({ loss }) => loss as number));
    expect(gap(ours, theirs)).toBeLessThan(1e-5);
    for (const model of [dilated, dense]) disposeModel(viewOf(model));
  });

  itOn(backend, 'batch normalisation without scale and center, whose moving statistics move', async () => {
    const model = normalized();
    const dense = weightsOf(model.layers[1]);
    await learn(model, X, NO_HOOKS, { epochs: 1, batchSize: 16 });
    expect(gap(weightsOf(model.layers[1])[0], dense[0])).toBeGreaterThan(1e-3);
    // One step with momentum 0.99, from mean 0 and variance 1.
    const columns = [0, 1, 2].map((column) => X.map((row) => row[column]));
    const means = columns.map((values) => values.reduce((sum, value) => sum + value, 0) / 16);
    const variances = columns.map((values, at) => values.reduce((sum, v) => sum + (v - means[at]) ** 2, 0) / 16);
    const [mean, variance] = weightsOf(model.layers[0]);
    const moved = means.map((value) => 0.01 * value);
    expect(gap(mean, moved)).toBeLessThan(1e-6);
    const spread = variances.map((value) => 0.99 + 0.01 * value);
    expect(gap(variance, spread)).toBeLessThan(1e-6);
    disposeModel(viewOf(model));
  });
});

it('repairLayers lets tfjs train them without cvkit, and puts everything back', async () => {
  const model = holes();
  const [{ call }] = model.layers;
  const optimizer = tf.train.sgd(0.5);
  model.compile({ optimizer, loss: 'meanSquaredError' });
  const restore = repairLayers(tf, model);
  const [x, target] = [tf.ones([4, 3, 3, 1]), tf.zeros([4, 1])];
  const { history } = await model.fit(x, target, { epochs: 5, verbose: 0 });
  expect(history.loss.at(-1)).toBeLessThan(history.loss[0] as number);
  restore();
  expect(model.layers[0].call).toBe(call);
  tf.dispose([x, target]);
  optimizer.dispose();
  model.dispose();
});

describe('prepareLayers', () => {
  /** Own properties of every layer, with the layers inside wrappers and models. */
  const stateOf = (model: tf.LayersModel) => {
    const inner = (model.layers[0] as tf.LayersModel).layers;
    return [...model.layers, ...inner].map((layer) => ({ ...Object.getOwnPropertyDescriptors(layer) }));
  };
  function mixed() {
    const shared = l.batchNormalization({ scale: false, inputShape: [4, 4, 1] });
    const base = stack(shared, l.conv2d({ filters: 1, kernelSize: 2, dilationRate: 2 }), l.flatten());
    base.layers[0].trainable = false;
    const model = stack(base, l.batchNormalization({ center: false }), l.dense({ units: 1 }));
    return { model, base };
  }

  it('leaves alone what tfjs trains', () => {
    const model = stack(l.conv2d({ filters: 1, kernelSize: 2, inputShape: [4, 4, 1] }), l.batchNormalization());
    const before = model.layers.map((layer) => Object.keys(layer));
    prepareLayers(tf, viewOf(model));
    expect(model.layers.map((layer) => Object.keys(layer))).toEqual(before);
    disposeModel(viewOf(model));
  });

  it('puts every layer back, and makes no weight', () => {
    const { model, base } = mixed();
    const before = stateOf(model);
    const counts = () => [model, base].map((each) => [each.weights.length, each.trainableWeights.length]);
    const weights = counts();
    const restore = prepareLayers(tf, viewOf(model));
    expect(['call', 'gamma'].filter((key) => Object.hasOwn(base.layers[0], key))).toEqual(['call', 'gamma']);
    expect(Object.hasOwn(base.layers[1], 'call')).toBe(true);
    expect(model.layers[1]).toHaveProperty('beta');
    expect(counts()).toEqual(weights);
    restore();
    expect(stateOf(model)).toEqual(before);
    disposeModel(viewOf(model));
  });

  it('is undone by training also after an error', async () => {
    const model = normalized();
    const before = Object.keys(model.layers[0]);
    const onEpochEnd = async () => {
      expect(model.layers[0]).toHaveProperty('gamma');
      throw new Error('stop');
    };
    expect(await thrown(() => learn(model, X, { ...NO_HOOKS, onEpochEnd }))).toContain('stop');
    expect(Object.keys(model.layers[0])).toEqual(before);
    disposeModel(viewOf(model));
  });

  it('is not seen by what a hook saves or predicts', async () => {
    const model = normalized();
    const config = JSON.stringify(model.layers[0].getConfig());
    const seen: number[] = [];
    const predicted = () => tf.tidy(() => Array.from((model.predict(tf.tensor2d(X)) as tf.Tensor).dataSync()));
    const onEpochEnd = async () => {
      expect(JSON.stringify(model.layers[0].getConfig())).toBe(config);
      expect(model.getWeights()).toHaveLength(4);
      seen.splice(0, Number.POSITIVE_INFINITY, ...predicted());
      return undefined;
    };
    await learn(model, X, { ...NO_HOOKS, onEpochEnd });
    expect(seen).toHaveLength(16);
    expect(gap(seen, predicted())).toBeLessThan(1e-6);
    disposeModel(viewOf(model));
  });
});
