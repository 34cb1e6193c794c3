import { expect, it } from 'vitest';
import { subsetsOf } from '../../../src/checkers/CVL010-preprocessing/subsetsOf.js';

it('gives every part of a list once, the whole list first and none last', () => {
  expect(subsetsOf(['a', 'b'])).toEqual([['a', 'b'], ['b'], ['a'], []]);
  expect(new Set(subsetsOf([1, 2, 3, 4]).map(String)).size).toBe(16);
  expect(subsetsOf([])).toEqual([[]]);
});
