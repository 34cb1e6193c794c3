/** What must not go on from fold to fold in a network, and what must reach it in each one. */
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { stack, table, tf } from '../../helpers/tfjsModels.js';

const { X, y } = table(24);
const ONE = () => stack(tf.layers.dense({ inputShape: [X[0].length], units: 1, activation: 'sigmoid' }));
const compiled = (optimizer: () => unknown) => () => {
  const model = ONE();
  model.compile({ optimizer: optimizer() as tf.Optimizer, loss: 'binaryCrossentropy' });
  return model;
};
const run = (options: Partial<RunOptions>, adapterOptions = {}) =>
  new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 2 }),
    verbose: 0,
    adapterOptions: { backend: 'cpu', ...adapterOptions },
  }).run({ model: ONE, data: [X, y], epochs: 2, metrics: ['roc_auc'], ...options });
const code = (options: Partial<RunOptions>, adapterOptions = {}) =>
  run(options, adapterOptions).then(
    ({ histories }) => histories.map(({ epochs }) => epochs.map(({ loss }) => loss)),
    (error) => error.code,
  );

/** Gradients are cut to [-limit, limit]: with a limit of 0 nothing is learnt. */
class Clipped extends tf.SGDOptimizer {
  limit: number;
  constructor(rate: number, limit = 0) {
    super(rate);
    this.limit = limit;
  }
  override applyGradients(gradients: never) {
    const all = gradients as { name: string; tensor: tf.Tensor }[];
    super.applyGradients(
      all.map(({ name, tensor }) => ({ name, tensor: tensor.clipByValue(-this.limit, this.limit) })),
    );
  }
}

/** A field that nobody sees from outside. */
class Hidden extends tf.SGDOptimizer {
  #scale: number;
  constructor(rate: number, scale = 0) {
    super(rate);
    this.#scale = scale;
  }
  override applyGradients(gradients: never) {
    const all = gradients as { name: string; tensor: tf.Tensor }[];
    super.applyGradients(all.map(({ name, tensor }) => ({ name, tensor: tensor.mul(this.#scale) })));
  }
}

/** Holds no tensor before its first step; its getConfig is that of the class above. */
class Decayed extends tf.RMSPropOptimizer {
  decayRate: number;
  constructor(rate: number, decayRate = 0) {
    super(rate);
    this.decayRate = decayRate;
  }
}

const idle = () => Object.assign(tf.train.sgd(0.01), { applyGradients: () => undefined }) as tf.Optimizer;

describe('an optimizer with fields of its own', () => {
  const plain = () => code({ optimizer: 'sgd', lossFn: 'binaryCrossentropy' });

  it('is left as it is where the factory made it: clipping at 1000 is no clipping, as plain SGD shows', async () => {
    const sgd = await code({ model: compiled(() => tf.train.sgd(0.01)) });
    expect(await code({ model: compiled(() => new Clipped(0.01, 1000)) })).toEqual(sgd);
    expect(await code({ model: compiled(() => new Hidden(0.01, 1)) })).toEqual(sgd);
    expect(await plain()).toHaveLength(2);
  });

  it('is made by a function for each fold', async () => {
    const sgd = await code({ model: compiled(() => tf.train.sgd(0.01)) });
    const given = { lossFn: 'binaryCrossentropy' } as const;
    expect(await code({ ...given, optimizer: () => new Clipped(0.01, 1000) })).toEqual(sgd);
    const one = new Clipped(0.01, 1000);
    expect(await code({ ...given, optimizer: () => one })).toBe('invalid_optimizer');
    expect(await code({ ...given, optimizer: () => 7 })).toBe('invalid_optimizer');
  });

  it.each([
    ['a field', () => new Clipped(0.01, 1000)],
    ['a private field', () => new Hidden(0.01, 1)],
    ['a method of one object', idle],
  ])('is refused where folds would share it: %s', async (_, make) => {
    const one = make();
    expect(await code({ optimizer: one, lossFn: 'binaryCrossentropy' })).toBe('optimizer_fields');
    expect(await code({ model: compiled(() => one) })).toBe('optimizer_fields');
    const instance = compiled(() => one)();
    expect(await code({ model: instance })).toBe('optimizer_fields');
  });

  it('without a tensor is taken once and refused at the second fold', async () => {
    expect(await code({ model: compiled(() => new Decayed(0.01, 0.5)) })).toHaveLength(2);
    const one = new Decayed(0.01, 0.5);
    expect(['optimizer_fields', 'invalid_model']).toContain(await code({ model: compiled(() => one) }));
  });

  it('that folds share is built again where nothing is lost: each fold begins with fresh moments', async () => {
    const apart = await code({ model: compiled(() => tf.train.adam(0.01)) });
    const one = tf.train.adam(0.01);
    expect(await code({ model: compiled(() => one) })).toEqual(apart);
  });
});

it('training that changes no weight is said', async () => {
  const warnings = async (optimizer: () => tf.Optimizer) =>
    (await run({ model: compiled(optimizer) })).metadata.warnings;
  expect((await warnings(idle)).join()).toContain('Training changed no weight');
  expect((await warnings(() => tf.train.sgd(0))).join()).not.toContain('changed no weight');
});

describe('a step of the caller', () => {
  type Given = { model: tf.LayersModel; optimizer: tf.Optimizer; x: tf.Tensor; y: tf.Tensor };
  const loss = ({ model, x, y: truth }: Given, scale: tf.Tensor) =>
    tf.metrics
      .binaryCrossentropy(truth, (model.apply(x, { training: true }) as tf.Tensor).mul(scale).clipByValue(1e-6, 0.9999))
      .mean() as tf.Scalar;
  const stepWith = (scale: () => tf.Tensor) => (given: Given) =>
    given.optimizer.minimize(() => loss(given, scale()), true);

  it('may not train a variable that was made outside the factory', async () => {
    const outside = tf.variable(tf.scalar(1), true, 'temperature');
    const trainStep = stepWith(() => outside);
    const error = await run({ optimizer: 'adam' }, { trainStep }).catch((thrown) => thrown);
    expect(error.code).toBe('not_isolated');
    expect(error.message).toContain('temperature');
    expect(await code({ model: compiled(() => 'adam') }, { trainStep })).toBe('not_isolated');
    expect(await code({ model: ONE(), optimizer: 'adam' }, { trainStep })).toBe('not_isolated');
    // One that the factory makes first and keeps is older than the second model.
    let lazy: tf.Variable | undefined;
    const keeping = () => {
      lazy ??= tf.variable(tf.scalar(1));
      return ONE();
    };
    const lazily = { trainStep: stepWith(() => lazy as tf.Variable) };
    const late = await run({ model: keeping, optimizer: 'adam' }, lazily).catch((thrown) => thrown);
    expect([late.code, late.foldId]).toEqual(['not_isolated', 'fold-1']);
    tf.dispose([outside, lazy as tf.Variable]);
  });

  it('may train a variable that the factory made for this fold', async () => {
    const made: tf.Variable[] = [];
    const model = () => {
      made.push(tf.variable(tf.scalar(1)));
      return ONE();
    };
    const trainStep = stepWith(() => made.at(-1) as tf.Variable);
    expect(await code({ model, optimizer: 'adam' }, { trainStep })).toHaveLength(2);
    tf.dispose(made);
  });

  it('must read the weights of rows where there are some', async () => {
    const one = tf.scalar(1);
    const trainStep = stepWith(() => one);
    const reads = (given: Given & { sampleWeight?: tf.Tensor }) => {
      const weight = given.sampleWeight ?? one;
      return stepWith(() => weight.mean())(given);
    };
    const sampleWeight = y.map(() => 2);
    const weights: object[] = [{ classWeight: { 0: 1, 1: 5 } }, { sampleWeight }, { classWeight: 'balanced' }];
    for (const weighted of weights) {
      expect(await code({ optimizer: 'adam', ...weighted }, { trainStep })).toBe('idle_option');
      expect(await code({ optimizer: 'adam', ...weighted }, { trainStep: reads })).toHaveLength(2);
    }
    one.dispose();
  });
});
