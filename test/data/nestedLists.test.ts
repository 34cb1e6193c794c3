import { describe, expect, it } from 'vitest';
import { cellNumber, numbersOf, picked, rowShapeOf } from '../../src/data/lists.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

describe('rowShapeOf', () => {
  it('is the shape of a row', () => {
    expect(
      rowShapeOf(
        [
          [[1], [2]],
          [Float32Array.of(3), [4]],
        ],
        'X',
      ),
    ).toEqual([2, 1]);
  });
});

it('numbersOf takes rows in any order', () => {
  expect(
    numbersOf(
      [
        [1, 2],
        [3, null],
      ],
      Int32Array.of(1, 0),
      [2],
      'X',
    ),
  ).toEqual({
    data: Float64Array.of(3, Number.NaN, 1, 2),
    shape: [2, 2],
  });
});

it('picked gives all rows for null', () => {
  expect([[...picked(3, null)], [...picked(3, Int32Array.of(2, 2))]]).toEqual(matrix('0 1 2 | 2 2'));
});

it('cellNumber refuses text and says where', () => {
  expect(failure(() => cellNumber('x', () => 'X row 0'))).toMatch(/^not_numeric: .*row 0/);
});
