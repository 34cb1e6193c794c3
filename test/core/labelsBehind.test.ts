import { expect, it } from 'vitest';
import { labelsBehind } from '../../src/core/labelsBehind.js';

it.each([
  ['labels as they are', ['a', 'b'], ['b', 'a', 'b'], ['a', 'b']],
  ['classes by their numbers', ['number 0', 'number 1'], ['M-2', 'M-1', 'M-2'], ['M-1', 'M-2']],
  ['labels in an order of their own', ['low', 'high'], ['high', 'low'], ['low', 'high']],
  ['numbers in order, not as texts', [2, 10], [10, 2, 10], [2, 10]],
  ['a class without a row', ['a', 'b', 'c'], ['a', 'c'], ['a', 'b', 'c']],
  ['a number without a row: which is which is unknown', ['number 0', 'number 1'], ['M-2'], undefined],
])('labelsBehind %s', (_, classes, labels, behind) => expect(labelsBehind<unknown>(classes, labels)).toEqual(behind));
