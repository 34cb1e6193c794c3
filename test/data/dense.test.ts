import * as tf from '@tensorflow/tfjs';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { checkedDense, isDense, isTensor, nest, product } from '../../src/data/dense.js';

describe('isTensor', () => {
  it('is true for tensors alone', () => {
    expect(isTensor(tf.scalar(1))).toBe(true);
    for (const other of [null, [], { shape: [1], dtype: 'float32' }, new Matrix(1, 1)])
      expect(isTensor(other)).toBe(false);
  });
});

describe('isDense', () => {
  it('is true for { data, shape }', () => {
    expect(isDense({ data: new Float32Array(2), shape: [2] })).toBe(true);
    for (const other of [null, [], { data: [1, 2], shape: [2] }, { data: new Float32Array(2) }]) {
      expect(isDense(other)).toBe(false);
    }
  });
});

describe('checkedDense', () => {
  it('makes numbers of 64-bit integers, and leaves anything else as it is', () => {
    const integers = { data: BigInt64Array.of(1n, -2n), shape: [2] };
    expect(checkedDense(integers as never, 'X')).toEqual({ data: Float64Array.of(1, -2), shape: [2] });
    const given = { data: Uint8Array.of(1, 2), shape: [2] };
    expect(checkedDense(given, 'X').data).toBe(given.data);
  });
});

it('nest is the way back from numbers with a shape to arrays in arrays', () => {
  expect(nest({ data: Int8Array.of(1, 2, 3, 4), shape: [2, 2] })).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect([product([2, 3, 4]), product([])]).toEqual([24, 1]);
});
