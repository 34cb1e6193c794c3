import { describe, expect, it } from 'vitest';
import { checkLoss, type Loss, lossesOf } from '../../../adapters/tfjs/losses.js';
import type { Output } from '../../../adapters/tfjs/outputs.js';
import { type Labels, labelsOf } from '../../../src/data/labels.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { network, stack, tf, twoHeads, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const labels = {
  regression: labelsOf([0.5, 1.5, 2.25]),
  binary: labelsOf(['no', 'yes', 'no']),
  multiclass: labelsOf(['a', 'b', 'c']),
  multilabel: labelsOf({ data: Uint8Array.of(0, 1, 1, 1, 1, 0), shape: [2, 3] }),
};
const output = (given: Labels, place = 0, name = 'out'): Output => ({ name, label: name, place, labels: given });

const heads = [output(labels.binary, 0, 'tumour'), output(labels.regression, 1, 'size')];

describe('lossesOf', () => {
  it('prefers the option to what the model was compiled with', () => {
    const model = network();
    const only = [output(labels.binary)];
    model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    expect(lossesOf(viewOf(model), only, undefined)).toEqual(['meanSquaredError']);
    expect(lossesOf(viewOf(model), only, 'binaryCrossentropy')).toEqual(['binaryCrossentropy']);
    const own = () => tf.scalar(0);
    expect(lossesOf(viewOf(model), only, own)).toEqual([own]);
    model.compile({ optimizer: 'adam', loss: ['meanSquaredError'] });
    expect(lossesOf(viewOf(model), only, undefined)).toEqual(['meanSquaredError']);
  });

  it('takes one for all outputs, one each by name, and what was compiled by place', () => {
    const model = twoHeads();
    expect(lossesOf(viewOf(model), heads, 'meanSquaredError')).toEqual(['meanSquaredError', 'meanSquaredError']);
    const each = { size: 'meanSquaredError', tumour: 'binaryCrossentropy' };
    expect(lossesOf(viewOf(model), heads, each)).toEqual(['binaryCrossentropy', 'meanSquaredError']);
    model.compile({ optimizer: 'sgd', loss: ['binaryCrossentropy', 'meanAbsoluteError'] });
    const turned = lossesOf(viewOf(model), heads.toReversed(), undefined);
    expect(turned).toEqual(['meanAbsoluteError', 'binaryCrossentropy']);
  });
});

describe('a name that tfjs does not have', () => {
  it.each([
    ['a loss', { lossFn: 'binaryCrosentropy' }],
    ['a loss of one output', { lossFn: { tumour: 'binaryCrossentropy', size: 'mse2' } }],
    ['an optimizer', { optimizer: 'adm' }],
  ])('of %s is refused before a fold begins', async (_, options) => {
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    const callbacks = { onFoldStart: () => expect.unreachable() };
    const data = { X: [[0], [1], [2], [3]], y: [0, 1, 0, 1] };
    const running = runner.run({ model: () => network(), data, callbacks, ...options });
    await expect(running).rejects.toMatchObject({ code: 'invalid_option' });
  });
});

describe('checkLoss', () => {
  it('takes an auxiliary output that is linear, unless the loss takes logarithms of it', async () => {
    const model = viewOf(twoHeads());
    const linear = output(labels.binary, 1, 'size');
    const check = (loss: Loss, scored: boolean) => thrown(() => checkLoss(model, linear, loss, { scored }));
    const logits: Loss = (a: tf.Tensor, b: tf.Tensor) => tf.losses.sigmoidCrossEntropy(a, b);
    expect(await check(logits, false)).toBe('nothing thrown');
    expect(await check('meanSquaredError', false)).toBe('nothing thrown');
    expect(await check('binaryCrossentropy', false)).toContain('invalid_probabilities');
    expect(await check(logits, true)).toContain('invalid_probabilities');
  });

  it('takes a softmax over the channels of every pixel for classes that exclude each other', async () => {
    const model = stack(tf.layers.conv2d({ filters: 2, kernelSize: 1, activation: 'softmax', inputShape: [2, 2, 1] }));
    const onehot = labelsOf({ data: Uint8Array.from({ length: 16 }, (_, at) => at % 2), shape: [2, 2, 2, 2] });
    const check = (loss: string) => thrown(() => checkLoss(viewOf(model), output(onehot), loss));
    expect(await check('categoricalCrossentropy')).toBe('nothing thrown');
    expect(await check('sparseCategoricalCrossentropy')).toMatch(
      /\(loss_mismatch\): .*`lossFn`.*'sparseCategoricalCrossentropy'/,
    );
  });
});
