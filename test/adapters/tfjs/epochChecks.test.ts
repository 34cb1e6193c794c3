import { describe, expect, it } from 'vitest';
import { checkChanged, checkFinite, train, valuesOf } from '../../../adapters/tfjs/train.js';
import type { Augment, FitOptions } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, fitOptions, NO_HOOKS, network, onBackend, table, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(24);
const deep = () =>
  tf.sequential({
    layers: [
      tf.layers.dense({ units: 8, inputShape: [3] }),
      tf.layers.dense({ units: 8 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });

describe.each(['cpu', 'wasm'])('checkFinite on %s', (backend) => {
  const check = (...values: number[]) =>
    onBackend(backend, () => {
      const weights = [tf.variable(tf.ones([2, 2])), tf.variable(tf.tensor1d(values))];
      const before = tf.memory().numTensors;
      return thrown(() => checkFinite(tf, weights, 3)).finally(() => {
        expect(tf.memory().numTensors).toBe(before);
        tf.dispose(weights);
      });
    });

  it('tells NaN and Infinity from large numbers', async () => {
    expect(await check(3e38, 3e38, -3e38, 0)).toBe('nothing thrown');
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(await check(0, 1, bad)).toBe(
        `AdapterError (not_finite): The weights after epoch 3 on the ${backend} backend must be finite numbers. ` +
          `Got ${bad}. Scale X, or use a smaller learning rate.`,
      );
    }
  });

  it('stops a training whose loss hides it', async () => {
    await onBackend(backend, async () => {
      const epochs: number[] = [];
      const message = (parts: Partial<FitOptions>, model: tf.LayersModel = network()) => {
        epochs.length = 0;
        const options = fitOptions({ epochs: 5, optimizer: 'sgd', lossFn: 'binaryCrossentropy', ...parts });
        const hooks = { ...NO_HOOKS, onEpochEnd: async (epoch: number) => void epochs.push(epoch) };
        return thrown(() => train(tf, viewOf(model), batchOf(X, y), options, hooks));
      };
      const augment: Augment = ({ X }, { epoch }) => ({ X: epoch < 2 ? X : tf.mul(X, Number.NaN) });
      expect(await message({ augment })).toMatch(/\(not_finite\): The (weights after|loss in) epoch 2 on the/);
      expect(epochs).toEqual([0, 1]);
      expect(await message({ optimizer: tf.train.sgd(1e38) }, deep())).toContain('not_finite');
    });
  });
});

describe('checkChanged', () => {
  it('sees a change of any weight', async () => {
    const model = network();
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const weights = [tf.variable(tf.zeros([3])), tf.variable(tf.zeros([2]))];
    const before = valuesOf(weights);
    expect(await thrown(() => checkChanged(before, weights, viewOf(model), true))).toContain('invalid_train_step');
    expect(checkChanged(before, weights, viewOf(model), false)).toHaveLength(1);
    weights[1].assign(tf.tensor1d([0, 1e-9]));
    expect(checkChanged(before, weights, viewOf(model), true)).toEqual([]);
  });
});
