import * as tf from '@tensorflow/tfjs';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { checkedDense, isDense, isTensor, nest, product } from '../../src/data/dense.js';
import { labelsOf } from '../../src/data/labels.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

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

  it.each([[[-2, -2]], [[0.5, 8]], [['2', 2]], [[Number.NaN]]])('refuses the shape %j, for X and for y', (shape) => {
    const given = { data: new Float64Array(4), shape: shape as number[] };
    expect(failure(() => checkedDense(given, 'X'))).toMatch(/^invalid_data: The shape of X/);
    expect(failure(() => labelsOf(given))).toMatch(/^invalid_data: The shape of y/);
  });

  it('refuses data that do not fill the shape', () => {
    expect(failure(() => checkedDense({ data: new Float64Array(5), shape: [2, 3] }, 'X'))).toMatch(
      /^ragged_rows: .*\[2, 3\].*5/,
    );
  });
});

it('nest is the way back from numbers with a shape to arrays in arrays', () => {
  expect(nest({ data: Int8Array.of(1, 2, 3, 4), shape: [2, 2] })).toEqual(matrix('1 2 | 3 4'));
  expect([product([2, 3, 4]), product([])]).toEqual([24, 1]);
});
