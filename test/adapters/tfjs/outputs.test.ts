import { describe, expect, it } from 'vitest';
import { activationOf, isAutomatic, mainOutput, outputsOf, targetShape } from '../../../adapters/tfjs/outputs.js';
import type { Network } from '../../../adapters/tfjs/structures.js';
import { type Labels, labelsOf } from '../../../src/data/labels.js';
import { network, stack, tf, viewOf, withOutputs } from '../../helpers/tfjsModels.js';

const three = withOutputs({ tumour: [1], size: [1], stage: [3] });
const y = labelsOf([0, 1, 1]);
const masks = (...shape: number[]): Labels => {
  const size = shape.reduce((product, each) => product * each, 1);
  return labelsOf({ data: Uint8Array.from({ length: 2 * size }, (_, at) => at % 2), shape: [2, ...shape] });
};

it('outputsOf puts the output of y first and the others in the order of the model', () => {
  const [stage, size] = [labelsOf(['a', 'b', 'c']), labelsOf([0.5, 1.5, 2.5])];
  expect(outputsOf(three, { y, auxiliary: { stage, size } })).toEqual([
    { name: 'tumour', label: 'tumour', place: 0, labels: y },
    { name: 'size', label: 'size', place: 1, labels: size },
    { name: 'stage', label: 'stage', place: 2, labels: stage },
  ]);
  expect(outputsOf(three, { y, auxiliary: { size } }, 'stage').map(({ place }) => place)).toEqual([2, 1]);
});

it('mainOutput is the only one, the one that is left, or the one that is named', () => {
  expect(mainOutput(withOutputs({ any: [1] }))).toBe(0);
  expect(mainOutput(three, undefined, ['tumour', 'stage'])).toBe(1);
  expect(mainOutput(three, 'stage')).toBe(2);
  const unnamed = withOutputs({ dense_Dense4: [1], size: [1] });
  expect(mainOutput(unnamed, undefined, ['size'])).toBe(0);
});

it('isAutomatic knows the names that tfjs makes up', () => {
  const { dense, conv2d, batchNormalization, globalAveragePooling2d } = tf.layers;
  const made = [
    dense({ units: 1 }),
    conv2d({ filters: 1, kernelSize: 1 }),
    batchNormalization(),
    globalAveragePooling2d({} as never),
  ].map(({ name }) => name);
  const input = tf.input({ shape: [2] }).name;
  const { inputNames } = stack(dense({ units: 1, inputShape: [3] })) as never as Network;
  for (const name of [...made, input, ...inputNames]) expect([name, isAutomatic(name)]).toEqual([name, true]);
  for (const name of ['tumour', 'output_2', 'stage_T1', 'dense']) expect(isAutomatic(name)).toBe(false);
});

describe('targetShape', () => {
  const shape = (output: readonly (number | null)[], labels: Labels) =>
    targetShape(withOutputs({ out: output }), { name: 'out', label: 'out', place: 0, labels });

  it('is that of the output, with open sizes taken from the masks', () => {
    expect(shape([1], y)).toEqual([1]);
    expect(shape([4, 5, 1], masks(4, 5))).toEqual([4, 5, 1]);
    expect(shape([4, 5], masks(4, 5, 1))).toEqual([4, 5]);
    expect(shape([null, null, 1], masks(4, 5))).toEqual([4, 5, 1]);
    expect(shape([null, null, 2], masks(4, 5, 2))).toEqual([4, 5, 2]);
    expect(shape([2, 3, 4, 1], masks(2, 3, 4))).toEqual([2, 3, 4, 1]);
  });
});

describe('activationOf', () => {
  const { dense, activation, timeDistributed } = tf.layers;

  it('is that of the layer that gives the output, also inside a model', () => {
    const inner = network({ units: 3 });
    const outer = stack(dense({ units: 3, inputShape: [2] }), inner);
    expect(activationOf(viewOf(inner), 0)).toBe('softmax');
    expect(activationOf(viewOf(outer), 0)).toBe('softmax');
    const last = stack(dense({ units: 1, inputShape: [2] }), activation({ activation: 'tanh' }));
    expect(activationOf(viewOf(last), 0)).toBe('tanh');
    const [a, b] = ['sigmoid', 'relu'].map((name) => dense({ units: 1, activation: name as 'relu' }));
    const input = tf.input({ shape: [2] });
    const two = tf.model({ inputs: input, outputs: [a.apply(input), b.apply(input)] as tf.SymbolicTensor[] });
    expect([activationOf(viewOf(two), 0), activationOf(viewOf(two), 1)]).toEqual(['sigmoid', 'relu']);
  });

  it('is unknown of layers without one', () => {
    const wrapped = timeDistributed({ layer: dense({ units: 1 }), inputShape: [2, 2] });
    expect(activationOf(viewOf(stack(wrapped)), 0)).toBeUndefined();
  });
});
