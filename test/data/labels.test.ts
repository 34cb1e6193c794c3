import * as tf from '@tensorflow/tfjs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frozenCopy } from '../../src/core/frozenCopy.js';
import { encode } from '../../src/data/encode.js';
import {
  classText,
  gather,
  type Label,
  labelsOf,
  listed,
  printable,
  type Task,
  type TaskOption,
} from '../../src/data/labels.js';
import { matrix } from '../helpers/matrix.js';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

// Rules: section 2 of the contract.
describe('the task', () => {
  it.each<[string, unknown, Task, Label[]]>([
    ['strings', ['no', 'yes', 'no'], 'binary', ['no', 'yes']],
    ['three strings', ['c', 'a', 'b'], 'multiclass', ['a', 'b', 'c']],
    ['booleans', [true, false, true], 'binary', [false, true]],
    ['0 and 1', [1, 0, 1], 'binary', [0, 1]],
    ['other two integers', [2, 1, 2], 'binary', [1, 2]],
    ['negative integers', [1, -1], 'binary', [-1, 1]],
    ['integers in ascending order by size, not by text', [10, 9, 2], 'multiclass', [2, 9, 10]],
    ['integers stored as floats', Float64Array.of(0, 1, 2, 1), 'multiclass', [0, 1, 2]],
    ['a Float32Array of 0 and 1', Float32Array.of(0, 1), 'binary', [0, 1]],
    ['an Int32Array', Int32Array.of(1, 0), 'binary', [0, 1]],
    ['20 distinct integers', upTo(20), 'multiclass', upTo(20)],
    ['21 distinct integers', upTo(21), 'regression', []],
    ['one fraction among integers', [0, 1, 0.5], 'regression', []],
    ['fractions', [0.1, 0.2, 0.1], 'regression', []],
    ['one class', [1, 1, 1], 'binary', [1]],
    ['minus zero is zero', [0, -0, 1], 'binary', [0, 1]],
    ['bigint', [1n, 0n, 1n], 'binary', [0, 1]],
    ['BigInt64Array', BigInt64Array.of(0n, 2n, 1n), 'multiclass', [0, 1, 2]],
    ['rows of one value', [[1], [0], [1]], 'binary', [0, 1]],
    ['rows of one fraction', [[0.5], [0.25]], 'regression', []],
    ['one-hot', matrix('0 1 0 | 1 0 0 | 0 0 1'), 'multiclass', [0, 1, 2]],
    [
      'one-hot of booleans',
      [
        [false, true],
        [true, false],
      ],
      'binary',
      [0, 1],
    ],
    ['one-hot with two columns', matrix('0 1 | 1 0'), 'binary', [0, 1]],
    ['rows of 0 and 1 that do not sum to 1', matrix('1 1 | 0 1'), 'multilabel', [0, 1]],
    ['a row of zeros', matrix('0 0 | 0 1'), 'multilabel', [0, 1]],
    ['typed rows', [Uint8Array.of(1, 1), Uint8Array.of(0, 1)], 'multilabel', [0, 1]],
  ])('%s', (_, y, task, classes) => {
    const labels = labelsOf(y);
    expect([labels.task, labels.classes]).toEqual([task, classes]);
  });

  it.each<[TaskOption, unknown, Task]>([
    ['regression', [0, 1, 1], 'regression'],
    ['classification', upTo(30), 'multiclass'],
    ['classification', [0, 1], 'binary'],
    ['multiclass', [0, 1], 'multiclass'],
    ['binary', ['a', 'b'], 'binary'],
    ['classification', [0.5, 1.5], 'binary'],
    ['multilabel', matrix('0 1 | 1 0'), 'multilabel'],
    ['multiclass', matrix('0 1 | 1 0'), 'multiclass'],
    ['classification', matrix('0 1 | 1 0'), 'binary'],
  ])('`task: %s` overrides the guess from %o', (task, y, expected) => {
    const labels = labelsOf(y, { task });
    expect(labels.task).toBe(expected);
    expect(labels.why).toBe('as `task` says');
  });

  it('says why', () => {
    const why = (y: unknown) => labelsOf(y).why;
    expect(why(['a', 'b'])).toBe('y has 2 distinct strings');
    expect(why([0, 1, 2])).toBe('y has 3 distinct integers');
    expect(why([true, false])).toBe('y has 2 distinct booleans');
    expect(why(upTo(21))).toBe('y has numbers that are not at most 20 distinct integers');
    expect(why(matrix('0 1 0 | 1 0 0'))).toBe('y is one-hot with 3 columns');
    expect(why(matrix('1 1 | 0 1'))).toBe('y has 2 columns of 0 and 1 that do not sum to 1 in every row');
  });
});

describe('what is read', () => {
  it('may be tensors of two dimensions, of booleans and of strings', () => {
    expect(labelsOf(tf.tensor2d([0, 1, 1, 0], [2, 2])).task).toBe('binary');
    expect(labelsOf(tf.tensor2d([1, 1, 1, 0], [2, 2])).task).toBe('multilabel');
    expect(labelsOf(tf.tensor1d([true, false], 'bool')).classes).toEqual([0, 1]);
    expect(labelsOf(tf.tensor1d(['benign', 'malignant'])).classes).toEqual(['benign', 'malignant']);
  });

  it('is neither changed nor disposed', () => {
    const y = [1, 0, 1];
    const tensor = tf.tensor1d(y);
    const before = tf.memory().numTensors;
    labelsOf(y).take(Int32Array.of(0)).codes.fill(9);
    labelsOf(tensor).codes.fill(9);
    expect(y).toEqual([1, 0, 1]);
    expect(Array.from(tensor.dataSync())).toEqual(y);
    expect(tf.memory().numTensors).toBe(before);
    const numbers = Float64Array.of(0.5, 1.5);
    labelsOf(numbers).numbers.fill(9);
    expect(Array.from(numbers)).toEqual([0.5, 1.5]);
    tensor.dispose();
  });
});

describe('masks', () => {
  // Three masks of 2 x 3 pixels, the second one empty.
  const masks = [matrix('0 1 1 | 0 0 1'), matrix('0 0 0 | 0 0 0'), matrix('1 0 0 | 1 1 1')];
  const flat = masks.flat(2);
  it.each<[string, () => unknown]>([
    ['nested arrays', () => masks],
    ['nested booleans', () => masks.map((mask) => mask.map((row) => row.map(Boolean)))],
    ['nested typed arrays', () => masks.map((mask) => mask.map((row) => Uint8Array.from(row)))],
    ['{ data, shape }', () => ({ data: Float32Array.from(flat), shape: [3, 2, 3] })],
    ['a tensor', () => tf.tensor3d(flat, [3, 2, 3])],
    ['a tensor of booleans', () => tf.tensor3d(flat, [3, 2, 3], 'bool')],
  ])('%s: one label per pixel', (_, make) => {
    const labels = labelsOf(make());
    expect(labels).toMatchObject({ task: 'multilabel', why: 'y is masks of 2 x 3', shape: [2, 3], length: 3 });
    expect(labels.classes).toEqual(upTo(6));
    expect(Array.from(labels.indicators)).toEqual(flat);
    expect(labels.toArray()).toEqual(masks);
    const taken = labels.take(Int32Array.of(2, 0, 2));
    expect(taken).toMatchObject({ shape: [2, 3], length: 3 });
    expect(taken.toArray()).toEqual([masks[2], masks[0], masks[2]]);
    // thousands of classes: made once, shared by every view
    expect(taken.classes).toBe(labels.classes);
  });

  it('may be volumes, and have channels; a single value per row is none', () => {
    expect(labelsOf({ data: new Uint8Array(48), shape: [2, 2, 3, 4, 1] }).shape).toEqual([2, 3, 4, 1]);
    expect(labelsOf(tf.tensor3d([1, 0], [2, 1, 1])).task).toBe('binary');
    expect(labelsOf([[[1]], [[0]]]).toArray()).toEqual([1, 0]);
  });

  it('are read from what they were written to, and neither change nor keep it', () => {
    const data = Uint8Array.from(flat);
    const labels = labelsOf({ data, shape: [3, 2, 3] }, { task: 'multilabel' });
    labels.take(Int32Array.of(0)).indicators.fill(9);
    labels.indicators.fill(9);
    expect(Array.from(data)).toEqual(flat);
    expect(labelsOf(labelsOf(masks).toArray()).toArray()).toEqual(masks);
  });

  it('other ranks of { data, shape } are what arrays of that rank are', () => {
    expect(labelsOf({ data: Float32Array.of(0, 1, 1), shape: [3] }).task).toBe('binary');
    expect(labelsOf({ data: Float32Array.of(0, 1, 1, 1), shape: [2, 2] }).task).toBe('multilabel');
    expect(labelsOf({ data: BigInt64Array.of(0n, 2n, 1n), shape: [3, 1] }).toArray()).toEqual([0, 2, 1]);
  });
});

describe('the view', () => {
  it('classification: codes into ascending classes', () => {
    const labels = labelsOf(['sick', 'well', 'dead', 'well']);
    expect(labels.classes).toEqual(['dead', 'sick', 'well']);
    expect(Array.from(labels.codes)).toEqual([1, 2, 0, 2]);
    expect([labels.numbers.length, labels.indicators.length]).toEqual([0, 0]);
    const taken = labels.take(Int32Array.of(3, 3, 0));
    expect(taken.toArray()).toEqual(['well', 'well', 'sick']);
    expect([taken.classes, taken.task, taken.why, taken.length]).toEqual([labels.classes, labels.task, labels.why, 3]);
  });

  it('regression: numbers', () => {
    const labels = labelsOf([0.5, 1.5, 2.5]);
    expect(Array.from(labels.numbers)).toEqual([0.5, 1.5, 2.5]);
    expect([labels.codes.length, labels.indicators.length]).toEqual([0, 0]);
    expect(labels.take(Int32Array.of(2, 0)).toArray()).toEqual([2.5, 0.5]);
  });

  it('multilabel: indicators', () => {
    const labels = labelsOf(matrix('1 1 0 | 0 0 0 | 0 1 1'));
    expect(Array.from(labels.indicators)).toEqual([1, 1, 0, 0, 0, 0, 0, 1, 1]);
    expect(labels.length).toBe(3);
    const taken = labels.take(Int32Array.of(2, 0));
    expect(taken.length).toBe(2);
    expect(taken.toArray()).toEqual(matrix('0 1 1 | 1 1 0'));
  });

  it('a taken view keeps the classes that it no longer holds', () => {
    expect(labelsOf(['a', 'b', 'c']).take(Int32Array.of(0)).classes).toEqual(['a', 'b', 'c']);
  });

  it('toArray gives back what was read', () => {
    const label = fc.oneof(fc.array(fc.integer(), { minLength: 1 }), fc.array(fc.string(), { minLength: 1 }));
    fc.assert(fc.property(label, (y) => void expect(labelsOf(y).toArray()).toEqual(y)));
  });
});

describe('encode', () => {
  it('orders numbers by size, strings by code unit, false before true', () => {
    expect(encode([10, 9, 2, 9]).classes).toEqual([2, 9, 10]);
    expect(encode(['b', 'B', 'a', 'é']).classes).toEqual(['B', 'a', 'b', 'é']);
    expect(encode([true, false]).classes).toEqual([false, true]);
  });

  it('gives codes that lead back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1 }), (values) => {
        const { classes, codes } = encode(values);
        expect(Array.from(codes, (code) => classes[code])).toEqual(values);
      }),
    );
  });
});

describe('gather', () => {
  it('keeps the type', () => {
    expect(gather(Int32Array.of(5, 6, 7), Int32Array.of(2, 0))).toEqual(Int32Array.of(7, 5));
    expect(gather(Float64Array.of(0.5), Int32Array.of(0, 0))).toEqual(Float64Array.of(0.5, 0.5));
  });
});

describe('a class as messages print it', () => {
  const times = (n: number, ...names: Label[]) => names.flatMap((name) => Array<Label>(n).fill(name));
  const shown = (y: Label[]) => printable(labelsOf(y, { task: 'classification' }).classes);

  it.each<[string, Label[], readonly Label[]]>([
    ['of enough rows is its label', times(9, 'ill', 'well'), ['ill', 'well']],
    [
      'of one or two rows may be a patient',
      [...times(2, 'Meier'), ...times(9, 'ill', 'well')],
      ['number 0', 'ill', 'well'],
    ],
    ['is named where there are two', [...times(2, 'ill'), ...times(9, 'well')], ['ill', 'well']],
    ['of one letter is no name', times(1, 'a', 'b'), ['a', 'b']],
    ['with the number of a record is none', times(9, 'M-10001', 'M-10002'), ['number 0', 'number 1']],
    ['that is a date is none', times(9, '12.03.57', 'none'), ['number 0', 'none']],
    ['of ages is its label', times(9, '18-39', '40+'), ['18-39', '40+']],
    ['of small numbers is the number', times(1, 0, 1, 2), [0, 1, 2]],
    ['of numbers of records is none', times(9, 77219, 77220), ['number 0', 'number 1']],
  ])('%s', (_, y, expected) => expect(shown(y)).toEqual(expected));

  it('is the same in each part of y, also in a frozen copy', () => {
    const y = labelsOf([...times(4, 'Meier'), ...times(2, 'Huber'), ...times(9, 'ill')]);
    const part = frozenCopy(y.take(Int32Array.of(0, 4, 6)));
    expect(printable(part.classes)).toEqual(['number 0', 'Meier', 'ill']);
    expect(classText(part.classes, 0)).toBe('number 0');
    expect(listed(part.classes)).toBe("number 0, 'Meier', 'ill'");
  });

  it('is not listed where all may be patients', () => {
    expect(listed(labelsOf(times(2, ...upTo(10).map((at) => `MRN-${10000 + at}`))).classes)).toBe(
      '(10 different texts)',
    );
  });
});
