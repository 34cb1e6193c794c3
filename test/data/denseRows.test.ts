import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { type Dense, rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';

const numbers = ({ data, shape }: Dense) => ({ data: Array.from(data), shape });

describe('rows of numbers', () => {
  it('dense 64-bit integers become doubles', async () => {
    const X = { data: BigInt64Array.of(1n, -2n, 3n, 4n), shape: [2, 2] } as unknown as Dense;
    expect(numbers(await rowsOf(X).take(Int32Array.of(1)).toDense()).data).toEqual([3, 4]);
    expect(await rowsOf(X).toArrays()).toEqual(matrix('1 -2 | 3 4'));
  });

  it('wide rows are taken whole', async () => {
    const wide = { data: Float32Array.from({ length: 300 }, (_, i) => i), shape: [3, 100] };
    const taken = await rowsOf(wide).take(Int32Array.of(2, 0)).toDense();
    expect(taken.data).toBeInstanceOf(Float32Array);
    expect(Array.from(taken.data)).toEqual([...wide.data.slice(200), ...wide.data.slice(0, 100)]);
  });

  it('downloads a tensor once, and neither disposes it nor leaves others behind', async () => {
    const tensor = tf.tensor2d(matrix('61 0 | 47 1'));
    const before = tf.memory().numTensors;
    const rows = rowsOf(tensor);
    await rows.toDense();
    await rows.take(Int32Array.of(1)).toArrays();
    expect(tf.memory().numTensors).toBe(before);
    expect(tensor.isDisposed).toBe(false);
    tensor.dispose();
  });
});
