import { describe, expect, it } from 'vitest';
import { replaceMaxPoolGrad } from '../../../../adapters/tfjs/wasm/maxPoolGrad.js';
import { gap, onBackend, tf } from '../../../helpers/tfjsModels.js';

interface Case {
  readonly pool: number;
  readonly strides: number;
  readonly pad: 'same' | 'valid';
  /** Added to values from -1 to 1: below -1 every maximum is negative. */
  readonly offset: number;
}

const GRID: Case[] = [];
for (const pool of [1, 2, 3]) {
  for (const strides of [1, 2, 3]) {
    for (const pad of ['same', 'valid'] as const)
      for (const offset of [-2, 0, 2]) GRID.push({ pool, strides, pad, offset });
  }
}

function gradient({ pool, strides, pad, offset }: Case): number[] {
  const before = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
  const values = tf.tidy(() => {
    const x = tf
      .sin(tf.range(0, 2 * 7 * 8 * 3).mul(1.3))
      .add(offset)
      .reshape([2, 7, 8, 3]) as tf.Tensor4D;
    return Array.from(
      tf
        .grad((t) =>
          tf
            .maxPool(t as tf.Tensor4D, pool, strides, pad)
            .square()
            .sum(),
        )(x)
        .dataSync(),
    );
  });
  expect({ tensors: tf.memory().numTensors, data: tf.backend().numDataIds() }).toEqual(before);
  return values;
}

describe('MaxPoolGrad on wasm', () => {
  it(`equals the cpu backend in ${GRID.length} cases and leaks nothing`, async () => {
    const cpu = await onBackend('cpu', () => GRID.map(gradient));
    const wasm = await onBackend('wasm', () => GRID.map(gradient));
    for (const [place, each] of GRID.entries()) {
      expect(gap(cpu[place], wasm[place]), JSON.stringify(each)).toBeLessThan(1e-5);
    }
  });

  it('gives the gradient of a window of negative numbers to its maximum, and of equal numbers to the first', async () => {
    await onBackend('wasm', () => {
      const x = tf.tensor4d([-3, -1, -2, -4, -5, -5, -5, -5], [2, 2, 2, 1]);
      const gradient = tf.grad((t) => tf.maxPool(t as tf.Tensor4D, 2, 2, 'valid').sum())(x);
      expect(Array.from(gradient.dataSync())).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
    });
  });

  it('is put in place once', async () => {
    await onBackend('wasm', () => {
      const kernel = tf.getKernel('MaxPoolGrad', 'wasm');
      replaceMaxPoolGrad(tf);
      expect(tf.getKernel('MaxPoolGrad', 'wasm')).toBe(kernel);
    });
  });
});
