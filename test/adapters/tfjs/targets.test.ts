import { describe, expect, it } from 'vitest';
import { checkLoss, lossOf, notProbabilities, outputWidth, targetsOf } from '../../../adapters/tfjs/targets.js';
import { labelsOf } from '../../../src/core/labels.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const facts = {
  regression: { task: 'regression', classes: [] },
  binary: { task: 'binary', classes: ['no', 'yes'] },
  multiclass: { task: 'multiclass', classes: ['a', 'b', 'c'] },
  multilabel: { task: 'multilabel', classes: [0, 1, 2] },
} as const;

describe('targetsOf', () => {
  it('gives numbers as they are', () => {
    expect(targetsOf(labelsOf([0.5, 2.25]), 1, 'meanSquaredError')).toEqual({
      data: Float32Array.of(0.5, 2.25),
      width: 1,
    });
  });

  it('gives 0 and 1 for one unit, 1 being the class that sorts last', () => {
    expect(targetsOf(labelsOf(['yes', 'no', 'yes']), 1, 'binaryCrossentropy').data).toEqual(Float32Array.of(1, 0, 1));
  });

  it('gives one-hot rows for one unit per class, and codes for the sparse loss', () => {
    const labels = labelsOf(['c', 'a', 'b']);
    expect(targetsOf(labels, 3, 'categoricalCrossentropy')).toEqual({
      data: Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0),
      width: 3,
    });
    expect(targetsOf(labels, 3, 'sparseCategoricalCrossentropy')).toEqual({ data: Float32Array.of(2, 0, 1), width: 1 });
  });

  it('gives the rows of many labels', () => {
    const labels = labelsOf([
      [1, 1],
      [0, 1],
    ]);
    expect(targetsOf(labels, 2, 'binaryCrossentropy')).toEqual({ data: Float32Array.of(1, 1, 0, 1), width: 2 });
  });
});

describe('lossOf', () => {
  it('prefers the option to what the model was compiled with', () => {
    const model = network();
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    expect(lossOf(viewOf(model), undefined)).toBe('meanSquaredError');
    expect(lossOf(viewOf(model), 'binaryCrossentropy')).toBe('binaryCrossentropy');
    const own = () => tf.scalar(0);
    expect(lossOf(viewOf(model), own)).toBe(own);
    model.compile({ optimizer: 'adam', loss: ['meanSquaredError'] });
    expect(lossOf(viewOf(model), undefined)).toBe('meanSquaredError');
  });

  it('refuses what is no loss', async () => {
    const model = viewOf(network());
    expect(await thrown(() => lossOf(model, 'binary_crossentropy'))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The \`lossFn\` option has no loss 'binary_crossentropy' in tfjs. Did you mean 'binaryCrossentropy'?"`,
    );
    expect(await thrown(() => lossOf(model, 3))).toMatchInlineSnapshot(
      `"InvalidOptionError (invalid_option): The \`lossFn\` option must be the name of a tfjs loss or a function. Got 3."`,
    );
  });
});

describe('outputWidth', () => {
  it('is the number of units where it fits the task', () => {
    expect(outputWidth(viewOf(network()), facts.regression)).toBe(1);
    expect(outputWidth(viewOf(network()), facts.binary)).toBe(1);
    expect(outputWidth(viewOf(network({ units: 2 })), facts.binary)).toBe(2);
    expect(outputWidth(viewOf(network({ units: 3 })), facts.multiclass)).toBe(3);
    expect(outputWidth(viewOf(network({ units: 3 })), facts.multilabel)).toBe(3);
  });

  it('names both numbers where it does not', async () => {
    const message = (units: number, task: keyof typeof facts) =>
      thrown(() => outputWidth(viewOf(network({ units })), facts[task]));
    expect(await message(2, 'regression')).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 1 unit for a regression task. Got 2."`,
    );
    expect(await message(3, 'binary')).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 1 unit (or 2 with softmax) for a binary task. Got 3."`,
    );
    expect(await message(1, 'multiclass')).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 3 units, one for each of the 3 classes of y, for a multiclass task. Got 1."`,
    );
    expect(await message(4, 'multilabel')).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 3 units, one for each of the 3 labels of y, for a multilabel task. Got 4."`,
    );
    const wide = tf.sequential({ layers: [tf.layers.reshape({ targetShape: [3, 1], inputShape: [3] })] });
    expect(await thrown(() => outputWidth(viewOf(wide), facts.multiclass))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 3 units, one for each of the 3 classes of y, for a multiclass task. Got shape [3, 1]."`,
    );
  });
});

describe('checkLoss', () => {
  const message = (task: keyof typeof facts, units: number, loss: string, activation?: 'linear' | 'softmax') =>
    thrown(() => checkLoss(viewOf(network({ units, ...(activation ? { activation } : {}) })), facts[task], loss));

  it('accepts what fits', async () => {
    expect(await message('binary', 1, 'binaryCrossentropy')).toBe('nothing thrown');
    expect(await message('binary', 2, 'categoricalCrossentropy')).toBe('nothing thrown');
    expect(await message('multiclass', 3, 'sparseCategoricalCrossentropy')).toBe('nothing thrown');
    expect(await message('multilabel', 3, 'binaryCrossentropy')).toBe('nothing thrown');
    expect(await message('regression', 1, 'meanAbsoluteError', 'linear')).toBe('nothing thrown');
  });

  it('refuses what does not', async () => {
    expect(await message('regression', 1, 'binaryCrossentropy')).toMatchInlineSnapshot(
      `"AdapterError (loss_mismatch): The \`lossFn\` option must fit a regression task. Got 'binaryCrossentropy'. Use 'meanSquaredError' instead."`,
    );
    expect(await message('multilabel', 3, 'categoricalCrossentropy')).toMatchInlineSnapshot(
      `"AdapterError (loss_mismatch): The \`lossFn\` option must fit a multilabel task. Got 'categoricalCrossentropy'. Use 'binaryCrossentropy' instead."`,
    );
    expect(await message('binary', 1, 'categoricalCrossentropy')).toMatchInlineSnapshot(
      `"AdapterError (loss_mismatch): The \`lossFn\` option must fit an output of 1 unit. Got 'categoricalCrossentropy'. Use 'binaryCrossentropy', or 2 units with softmax, instead."`,
    );
    expect(await message('binary', 1, 'hinge')).toMatchInlineSnapshot(
      `"AdapterError (loss_mismatch): The \`lossFn\` option must fit a binary task. Got 'hinge'. Use 'binaryCrossentropy' instead."`,
    );
    expect(await message('binary', 1, 'binaryCrossentropy', 'linear')).toMatchInlineSnapshot(
      `"AdapterError (invalid_probabilities): The output of the model must be a probability from 0 to 1 for a binary task. Got a linear output layer. Give its last layer the activation 'sigmoid'."`,
    );
  });
});

describe('notProbabilities', () => {
  it('says what activation the last layer needs', () => {
    expect(notProbabilities('binary', 1, 3).message).toContain("'sigmoid'");
    expect(notProbabilities('multilabel', 4, 3).message).toContain("'sigmoid'");
    expect(notProbabilities('multiclass', 4, 3).message).toContain("'softmax'");
  });
});
