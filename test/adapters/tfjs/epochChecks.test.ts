import { describe, expect, it } from 'vitest';
import type { Augment, FitOptions, TrainStepContext } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, itOn, learn, NO_HOOKS, network, onBackend, stack, table, tf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(24);
const deep = () =>
  stack(
    tf.layers.dense({ units: 8, inputShape: [3] }),
    tf.layers.dense({ units: 8 }),
    tf.layers.dense({ units: 1, activation: 'sigmoid' }),
  );

/** Trains by a step that writes `value` into one weight. */
const written = (value: number) => {
  const trainStep = ({ model }: TrainStepContext) => {
    const weight = model.trainableWeights[0].read();
    const cells = weight.dataSync();
    cells[0] = value;
    weight.assign(tf.tensor(cells, weight.shape));
    return tf.scalar(0);
  };
  return thrown(() => learn(network(), batchOf(X, y), { epochs: 1, optimizer: 'sgd' }, { trainStep }));
};

describe.each(['cpu', 'wasm'])('the weights after an epoch on %s', (backend) => {
  it.each([
    [3e38, 'nothing thrown'],
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value): [number, string] => [
      value,
      `AdapterError (not_finite): The weights after epoch 0 on the ${backend} backend must be finite numbers. ` +
        `Got ${value}. Scale X, or use a smaller learning rate.`,
    ]),
  ])('may be large, and must be finite: %d', async (value, message) => {
    await onBackend(backend, async () => expect(await written(value)).toBe(message));
  });

  itOn(backend, 'stops a training whose loss hides it', async () => {
    const epochs: number[] = [];
    const message = (parts: Partial<FitOptions>, model: tf.LayersModel = network()) => {
      epochs.length = 0;
      const options = { epochs: 5, optimizer: 'sgd', lossFn: 'binaryCrossentropy', ...parts };
      const hooks = { ...NO_HOOKS, onEpochEnd: async (epoch: number) => void epochs.push(epoch) };
      return thrown(() => learn(model, batchOf(X, y), options, {}, hooks));
    };
    const augment: Augment = ({ X }, { epoch }) => ({ X: epoch < 2 ? X : tf.mul(X, Number.NaN) });
    expect(await message({ augment })).toMatch(
      /\(not_finite\): The (weights after|loss in) epoch 2 on the.*`augment` gives NaN/,
    );
    expect(epochs).toEqual([0, 1]);
    expect(await message({ optimizer: tf.train.sgd(1e38) }, deep())).toContain('not_finite');
  });
});

it('the smallest change of a weight is one', async () => {
  await onBackend('cpu', async () => expect(await written(1e-9)).toBe('nothing thrown'));
});
