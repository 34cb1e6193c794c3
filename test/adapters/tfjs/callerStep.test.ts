import { beforeAll, describe, expect, it } from 'vitest';
import { fromCaller } from '../../../adapters/tfjs/callerStep.js';
import { disposeModel } from '../../../adapters/tfjs/model.js';
import type { TrainStepContext } from '../../../adapters/tfjs/ownTrainStep.js';
import type { TrainSettings } from '../../../adapters/tfjs/train.js';
import { InvalidOptionError } from '../../../src/core/errors.js';
import { labelsOf } from '../../../src/data/labels.js';
import type { Batch, FitOptions } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, gap, learn, network, table, tf, twoHeads, viewOf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(12);
const sizes = X.map(([a, b]) => a - 2 * b + 0.25);

const twoTargets = (parts: Partial<Batch> = {}) => batchOf(X, y, { auxiliary: { size: labelsOf(sizes) }, ...parts });

const ONE_STEP: Partial<FitOptions> = { epochs: 1, batchSize: 100 };
const run = (model: tf.LayersModel, batch: Batch, options: Partial<FitOptions> = {}, settings: TrainSettings = {}) =>
  learn(model, batch, { ...ONE_STEP, ...options }, settings);

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
