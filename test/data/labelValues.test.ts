import * as tf from '@tensorflow/tfjs';
import { Int64, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { table as arqueroTable } from 'arquero';
import { describe, expect, it } from 'vitest';
import { labelValues } from '../../src/data/labelValues.js';

const read = (y: unknown) => {
  const { values, shape } = labelValues(y, 'y');
  return { values: Array.from(values), shape };
};

describe('every kind of y reads alike', () => {
  const kinds: [string, () => unknown][] = [
    ['array', () => [1, 0, 2, 1]],
    ['Float32Array', () => Float32Array.of(1, 0, 2, 1)],
    ['Uint8Array', () => Uint8Array.of(1, 0, 2, 1)],
    ['int32 tensor', () => tf.tensor1d([1, 0, 2, 1], 'int32')],
    ['float tensor', () => tf.tensor1d([1, 0, 2, 1])],
    ['arquero column', () => arqueroTable({ y: [1, 0, 2, 1] }).column('y')],
    ['arquero getter', () => arqueroTable({ y: [1, 0, 2, 1] }).array('y')],
    ['Arrow column', () => tableFromArrays({ y: Int32Array.of(1, 0, 2, 1) }).getChild('y')],
    ['Arrow int64 column', () => vectorFromArray([1n, 0n, 2n, 1n], new Int64())],
    ['a Series with toArray()', () => ({ toArray: () => [1, 0, 2, 1] })],
    ['a Series with values', () => ({ values: [1, 0, 2, 1] })],
  ];
  it.each(kinds)('%s', (_, make) => {
    expect(read(make())).toEqual({ values: [1, 0, 2, 1], shape: [] });
  });
});

describe('rows keep their shape', () => {
  const flat = [0, 1, 1, 0, 1, 1, 0, 0];
  it.each<[string, readonly number[], () => unknown]>([
    ['rows of one value', [1], () => flat.map((value) => [value])],
    ['an [n, 1] tensor', [1], () => tf.tensor2d(flat, [8, 1])],
    ['rows of labels', [4], () => [flat.slice(0, 4), Uint8Array.from(flat.slice(4))]],
    ['a tensor of rank 2', [4], () => tf.tensor2d(flat, [2, 4])],
    ['a tensor of booleans', [4], () => tf.tensor2d(flat, [2, 4], 'bool')],
    ['{ data, shape }', [4], () => ({ data: Float32Array.from(flat), shape: [2, 4] })],
    ['nested masks', [2, 2], () => [0, 4].map((at) => [flat.slice(at, at + 2), flat.slice(at + 2, at + 4)])],
    ['a tensor of masks', [2, 2], () => tf.tensor3d(flat, [2, 2, 2], 'bool')],
  ])('%s', (_, shape, make) => {
    expect(read(make())).toEqual({ values: flat, shape });
  });

  it('strings and booleans stay what they are; 64-bit integers become numbers', () => {
    expect(read(tf.tensor1d(['benign', 'malignant'])).values).toEqual(['benign', 'malignant']);
    expect(read(tf.tensor1d([true, false], 'bool')).values).toEqual([1, 0]);
    expect(read([true, false]).values).toEqual([true, false]);
    expect(read([1n, 0n]).values).toEqual([1, 0]);
    expect(read([[1n], [0n]])).toEqual({ values: [1, 0], shape: [1] });
  });
});
