import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';

// Four patients: age, sex, dose.
const ROWS = matrix('61 0 3 | 47 1 1 | 72 1 2 | 55 0 4');

describe('a row source', () => {
  it('reads nothing before it is needed', async () => {
    let reads = 0;
    const source = {
      length: 3,
      take: (rows: Int32Array) => {
        reads++;
        return Array.from(rows, (row) => [row]);
      },
    };
    const view = rowsOf(source).take(Int32Array.of(2, 1)).take(Int32Array.of(0));
    expect(reads).toBe(0);
    expect(await view.toArrays()).toEqual([[2]]);
    expect(reads).toBe(1);
  });

  it('disposes the tensors that a row source makes, unless it keeps them', async () => {
    const all = tf.tensor2d(ROWS);
    const kept = tf.keep(tf.tensor2d([ROWS[2]]));
    const before = tf.memory().numTensors;
    const one = rowsOf({ length: 4, take: (rows: Int32Array) => tf.tidy(() => tf.gather(all, Array.from(rows))) });
    const inputs = rowsOf({
      length: 4,
      take: (rows: Int32Array) => ({ a: tf.ones([rows.length, 2]), b: tf.clone(all) }),
    });
    for (const rows of [one, inputs]) {
      for (const read of ['toArrays', 'toDense', 'toInputs'] as const) await rows[read]();
    }
    expect(tf.memory().numTensors).toBe(before);
    await expect(inputs.take(Int32Array.of(1)).toDense()).rejects.toThrow('rows');
    expect(tf.memory().numTensors).toBe(before);
    const again = rowsOf({ length: 4, take: () => kept }).take(Int32Array.of(2));
    expect(await again.toArrays()).toEqual(await again.toArrays());
    tf.dispose([all, kept]);
  });
});
