import { describe, expect, it } from 'vitest';
import {
  adoptOptimizer,
  compileFresh,
  freshOptimizer,
  learningRateOf,
  setLearningRate,
} from '../../../adapters/tfjs/optimizer.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';

const { train } = tf;

describe('freshOptimizer', () => {
  it('gives names back in the spelling of tfjs', () => {
    expect(['adam', 'Adam', 'RMSProp', 'SGD'].map(freshOptimizer)).toEqual(['adam', 'adam', 'rmsprop', 'sgd']);
  });

  it.each([
    train.sgd(0.3),
    train.momentum(0.3, 0.8, true),
    train.adam(0.3, 0.8, 0.9, 1e-5),
    train.adamax(0.3, 0.8, 0.9, 1e-5, 0.1),
    train.adagrad(0.3, 0.2),
    train.adadelta(0.3, 0.8, 1e-5),
    train.rmsprop(0.3, 0.8, 0.5, 1e-5, true),
  ])('rebuilds %s with the same settings', (given) => {
    const fresh = freshOptimizer(given) as tf.Optimizer;
    expect(fresh).not.toBe(given);
    expect(fresh.constructor).toBe(given.constructor);
    expect(fresh.getConfig()).toEqual(given.getConfig());
  });
});

describe('compileFresh', () => {
  it('leaves the optimizer that is the model’s alone, and keeps the metrics', () => {
    const model = network();
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['accuracy'] });
    const before = tf.memory().numTensors;
    const old = model.optimizer;
    compileFresh(viewOf(model), undefined, 'binaryCrossentropy');
    expect(model.optimizer).toBe(old);
    expect([model.loss, model.metrics]).toEqual(['binaryCrossentropy', ['accuracy']]);
    expect(tf.memory().numTensors).toBe(before);
  });
});

describe('adoptOptimizer', () => {
  const owned = (optimizer: tf.Optimizer, since: number) => {
    const model = network();
    model.compile({ optimizer, loss: 'meanSquaredError' });
    adoptOptimizer(viewOf(model), since);
    return viewOf(model).isOptimizerOwned;
  };

  it('tells what the factory made from what was there before', () => {
    const shared = train.adam();
    const { id } = tf.scalar(0);
    expect(owned(shared, id)).toBe(false);
    expect(owned(train.adam(), id)).toBe(true);
    expect(owned(train.rmsprop(0.1), id)).toBe(false); // holds nothing before its first step
  });
});

describe('the learning rate', () => {
  const model = (optimizer?: tf.Optimizer) => {
    const made = network();
    if (optimizer) made.compile({ optimizer, loss: 'meanSquaredError' });
    return viewOf(made);
  };

  // The first step of each from a weight of 1 and a slope of 1, by the rule of its paper.
  it.each([
    ['sgd', train.sgd(0.5), (rate: number) => rate],
    ['momentum', train.momentum(0.5, 0.9), (rate: number) => rate],
    ['adam', train.adam(0.5), (rate: number) => rate],
    ['adamax', train.adamax(0.5), (rate: number) => rate],
    ['adagrad', train.adagrad(0.5, 0.44), (rate: number) => rate / Math.sqrt(0.44 + 1)],
    // tfjs divides by the root of the slopes before this one, of which there are none, plus epsilon.
    ['adadelta', train.adadelta(0.5, 0.75, 1), (rate: number) => rate],
    ['rmsprop', train.rmsprop(0.5, 0.75), (rate: number) => rate / Math.sqrt(0.25)],
  ])('of %s is read, and counts from the next step when it is set', (_, optimizer, step) => {
    const compiled = model(optimizer);
    const before = tf.memory().numTensors;
    expect(learningRateOf(compiled)).toBe(0.5);
    setLearningRate(compiled, 0.125);
    expect(learningRateOf(compiled)).toBe(0.125);
    expect(tf.memory().numTensors).toBe(before);
    const weight = tf.variable(tf.scalar(1));
    optimizer.minimize(() => tf.mul(weight, 1) as tf.Scalar, false, [weight]);
    expect(weight.dataSync()[0]).toBeCloseTo(1 - step(0.125), 5);
  });
});
