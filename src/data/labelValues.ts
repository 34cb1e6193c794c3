import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { checkedDense, isDense, isTensor, product } from './dense.js';

import { listOfColumn, numbersOf, rowShapeOf } from './lists.js';

/** `y` as a flat list, with the shape of a row: `[]` for a vector, `[1]` for a single column. */
export function labelValues(y: unknown, name: string): { values: ArrayLike<unknown>; shape: readonly number[] } {
  if (isTensor(y)) {
    const [n, ...shape] = y.shape;
    if (n === undefined) {
      throw new InvalidDataError(sentence(name, 'be a tensor of rank 1 or more', phrase('shape []')));
    }
    const values = y.dtype === 'bool' && shape.length < 2 ? Array.from(y.dataSync(), Number) : y.dataSync();
    return { values: values.length === n * product(shape) ? values : [], shape };
  }
  if (isDense(y)) {
    const { data, shape } = checkedDense(y, name);
    return { values: data, shape: shape.slice(1) };
  }
  if (Array.isArray(y) && isList(y[0])) {
    const shape = rowShapeOf(y, name);
    // Rows of 0 and 1 keep what is neither, for the message that names it.
    const rows = shape.length === 1;
    return { values: rows ? y.flatMap((row) => Array.from(row, unbox)) : numbersOf(y, null, shape, name).data, shape };
  }
  if (typeof y === 'object' && y !== null) return { values: unboxed(listOfColumn(y)), shape: [] };
  throw new InvalidDataError(sentence(name, 'be an array, a typed array, a tensor or a column', kindOf(y)));
}

function unboxed(values: ArrayLike<unknown>): ArrayLike<unknown> {
  if (ArrayBuffer.isView(values) && typeof values[0] !== 'bigint') return values;
  for (let i = 0; i < values.length; i++) if (typeof values[i] === 'bigint') return Array.from(values, unbox);
  return values;
}

/** A 64-bit integer as a number where that is exact. Two that would become one label stay what they are, and are refused. */
const unbox = (value: unknown) => (Number.isNaN(numberOf(value)) ? value : numberOf(value));
