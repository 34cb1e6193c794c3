import { describe, expect, it } from 'vitest';
import {
  activationOf,
  checkAllHaveTargets,
  isAutomatic,
  mainOutput,
  notProbabilities,
  outputLabel,
  outputsOf,
  outputWidth,
  targetShape,
} from '../../../adapters/tfjs/outputs.js';
import type { Network } from '../../../adapters/tfjs/structures.js';
import { type Labels, labelsOf } from '../../../src/data/labels.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const facts = {
  regression: { task: 'regression', classes: [] },
  binary: { task: 'binary', classes: ['no', 'yes'] },
  multiclass: { task: 'multiclass', classes: ['a', 'b', 'c'] },
  multilabel: { task: 'multilabel', classes: [0, 1, 2] },
} as const;

/** What the adapter sees of a model with these outputs: shapes of one row by name. */
const withOutputs = (shapes: Record<string, readonly (number | null)[]>): Network => ({
  inputs: [{ shape: [null, 3] }],
  inputNames: ['x'],
  outputs: Object.values(shapes).map((shape) => ({ shape: [null, ...shape] })),
  outputNames: Object.keys(shapes),
  layers: [],
});
const three = withOutputs({ tumour: [1], size: [1], stage: [3] });
const y = labelsOf([0, 1, 1]);
const masks = (...shape: number[]): Labels => {
  const size = shape.reduce((product, each) => product * each, 1);
  return labelsOf({ data: Uint8Array.from({ length: 2 * size }, (_, at) => at % 2), shape: [2, ...shape] });
};

describe('outputsOf', () => {
  it('puts the output of y first and the others in the order of the model', () => {
    const [stage, size] = [labelsOf(['a', 'b', 'c']), labelsOf([0.5, 1.5, 2.5])];
    expect(outputsOf(three, { y, auxiliary: { stage, size } })).toEqual([
      { name: 'tumour', label: 'tumour', place: 0, labels: y },
      { name: 'size', label: 'size', place: 1, labels: size },
      { name: 'stage', label: 'stage', place: 2, labels: stage },
    ]);
    expect(outputsOf(three, { y, auxiliary: { size } }, 'stage').map(({ place }) => place)).toEqual([2, 1]);
  });
});

describe('mainOutput', () => {
  it('is the only one, the one that is left, or the one that is named', () => {
    expect(mainOutput(withOutputs({ any: [1] }))).toBe(0);
    expect(mainOutput(three, undefined, ['tumour', 'stage'])).toBe(1);
    expect(mainOutput(three, 'stage')).toBe(2);
    const unnamed = withOutputs({ dense_Dense4: [1], size: [1] });
    expect(mainOutput(unnamed, undefined, ['size'])).toBe(0);
  });

  it('refuses names that do not decide it', async () => {
    const message = (model: Network, main?: string, auxiliary?: string[]) =>
      thrown(() => mainOutput(model, main, auxiliary));
    expect(await message(three)).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): A model with 3 outputs must have a target for each. Got 1, so y may belong to tumour or size or stage. Pass the others as \`auxiliary\`, or name the output of y as \`output\` in adapterOptions."`,
    );
    expect(await message(three, undefined, ['tumour', 'size', 'stage'])).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): The auxiliary targets must leave one output of the model for y. Got one for each of tumour, size, stage."`,
    );
    expect(await message(three, 'tumor')).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): The \`output\` option must name an output of the model. Got 'tumor'. Did you mean 'tumour'?"`,
    );
    expect(await message(three, undefined, ['sizes'])).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): An auxiliary target must name an output of the model. Got 'sizes'. Did you mean 'size'?"`,
    );
    expect(await message(three, 'size', ['size'])).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): An auxiliary target must belong to another output than y. Got 'size'."`,
    );
    expect(await message(withOutputs({ any: [1] }), undefined, ['any'])).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): An auxiliary target must belong to a further output of the model. Got 'any'."`,
    );
    const unnamed = withOutputs({ dense_Dense4: [1], dense_Dense12: [1] });
    expect(await message(unnamed, undefined, ['dense_Dense12'])).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): An auxiliary target must belong to an output with a name of its own. Got 'dense_Dense12'. Name its layer."`,
    );
  });
});

describe('checkAllHaveTargets', () => {
  it('names the output without a target', async () => {
    const some = outputsOf(three, { y, auxiliary: { size: y } }, 'tumour');
    expect(await thrown(() => checkAllHaveTargets(three, some))).toMatchInlineSnapshot(
      `"AdapterError (model_outputs): The output 'stage' must have a target to be trained. Got none. Add it to \`auxiliary\`, or write a \`trainStep\`."`,
    );
    const all = outputsOf(three, { y, auxiliary: { size: y, stage: y } });
    expect(await thrown(() => checkAllHaveTargets(three, all))).toBe('nothing thrown');
  });
});

describe('isAutomatic', () => {
  it('knows the names that tfjs makes up', () => {
    const { dense, conv2d, batchNormalization, globalAveragePooling2d } = tf.layers;
    const made = [
      dense({ units: 1 }),
      conv2d({ filters: 1, kernelSize: 1 }),
      batchNormalization(),
      globalAveragePooling2d({} as never),
    ].map(({ name }) => name);
    const input = tf.input({ shape: [2] }).name;
    const { inputNames } = tf.sequential({ layers: [dense({ units: 1, inputShape: [3] })] }) as never as Network;
    for (const name of [...made, input, ...inputNames]) expect([name, isAutomatic(name)]).toEqual([name, true]);
    for (const name of ['tumour', 'output_2', 'stage_T1', 'dense']) expect(isAutomatic(name)).toBe(false);
  });
});

describe('outputLabel', () => {
  it('is a name that is the same in every fold', () => {
    expect(outputLabel(['tumour', 'dense_Dense7'], 0)).toBe('tumour');
    expect(outputLabel(['tumour', 'dense_Dense7'], 1)).toBe('output1');
  });
});

describe('outputWidth', () => {
  it('is the number of units where it fits the task', () => {
    expect(outputWidth(viewOf(network()), 0, facts.regression)).toBe(1);
    expect(outputWidth(viewOf(network()), 0, facts.binary)).toBe(1);
    expect(outputWidth(viewOf(network({ units: 2 })), 0, facts.binary)).toBe(2);
    expect(outputWidth(viewOf(network({ units: 3 })), 0, facts.multiclass)).toBe(3);
    expect(outputWidth(viewOf(network({ units: 3 })), 0, facts.multilabel)).toBe(3);
  });

  it('is the number of pixels of masks, also where the model takes every size', () => {
    const facts = masks(4, 5);
    expect(outputWidth(withOutputs({ mask: [4, 5, 1] }), 0, facts)).toBe(20);
    expect(outputWidth(withOutputs({ mask: [4, 5] }), 0, facts)).toBe(20);
    expect(outputWidth(withOutputs({ mask: [null, null, 1] }), 0, facts)).toBe(20);
  });

  it('names both numbers where it does not', async () => {
    const message = (units: number, task: keyof typeof facts) =>
      thrown(() => outputWidth(viewOf(network({ units })), 0, facts[task]));
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
    expect(await thrown(() => outputWidth(viewOf(wide), 0, facts.multiclass))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 3 units, one for each of the 3 classes of y, for a multiclass task. Got shape [3, 1]."`,
    );
    expect(await thrown(() => outputWidth(three, 2, facts.binary))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output 'stage' must have 1 unit (or 2 with softmax) for a binary task. Got 3."`,
    );
    expect(await thrown(() => outputWidth(withOutputs({ mask: [4, 4, 1] }), 0, masks(4, 5)))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have 20 values, as many as a row of y has, for a multilabel task. Got shape [4, 4, 1]."`,
    );
  });
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

  it('refuses masks of another shape with as many pixels', async () => {
    expect(await thrown(() => shape([5, 4, 1], masks(4, 5)))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have the shape [4, 5] of the rows of y. Got [5, 4, 1]."`,
    );
    expect(await thrown(() => shape([null, null, 2], masks(4, 5)))).toMatchInlineSnapshot(
      `"AdapterError (output_shape): The output of the model must have the shape [4, 5] of the rows of y. Got [any, any, 2]."`,
    );
  });
});

describe('activationOf', () => {
  const { dense, activation, timeDistributed } = tf.layers;

  it('is that of the layer that gives the output, also inside a model', () => {
    const inner = network({ units: 3 });
    const outer = tf.sequential({ layers: [dense({ units: 3, inputShape: [2] }), inner] });
    expect(activationOf(viewOf(inner), 0)).toBe('softmax');
    expect(activationOf(viewOf(outer), 0)).toBe('softmax');
    const last = tf.sequential({ layers: [dense({ units: 1, inputShape: [2] }), activation({ activation: 'tanh' })] });
    expect(activationOf(viewOf(last), 0)).toBe('tanh');
    const [a, b] = ['sigmoid', 'relu'].map((name) => dense({ units: 1, activation: name as 'relu' }));
    const input = tf.input({ shape: [2] });
    const two = tf.model({ inputs: input, outputs: [a.apply(input), b.apply(input)] as tf.SymbolicTensor[] });
    expect([activationOf(viewOf(two), 0), activationOf(viewOf(two), 1)]).toEqual(['sigmoid', 'relu']);
  });

  it('is unknown of layers without one', () => {
    const wrapped = timeDistributed({ layer: dense({ units: 1 }), inputShape: [2, 2] });
    expect(activationOf(viewOf(tf.sequential({ layers: [wrapped] })), 0)).toBeUndefined();
  });
});

describe('notProbabilities', () => {
  it('says what activation the last layer needs', () => {
    const message = (task: 'binary' | 'multilabel' | 'multiclass', width: number) =>
      notProbabilities('The output of the model', task, width, 3).message;
    expect(message('binary', 1)).toContain("'sigmoid'");
    expect(message('multilabel', 4)).toContain("'sigmoid'");
    expect(message('multiclass', 4)).toContain("'softmax'");
  });
});
