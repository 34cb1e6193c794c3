import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectCentralDifferences,
  expectWasmEqualsCpu,
  type KernelCase,
  kernelCase,
} from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

type Three = [number, number, number];
const three = (max: number, min = 1) =>
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min, max }));

const convolution = (size: Three, kernel: Three, strides: Three, pad: 'same' | 'valid'): KernelCase =>
  kernelCase(
    JSON.stringify({ size, kernel, strides, pad }),
    [`2 ${size.join(' ')} 2`, `${kernel.join(' ')} 2 3`],
    (x: tf.Tensor5D, filter: tf.Tensor5D) => tf.conv3d(x, filter, strides, pad),
  );

const anyCase = fc
  .record({
    size: three(6, 3),
    kernel: three(3),
    strides: three(3),
    pad: fc.constantFrom('same' as const, 'valid' as const),
  })
  // with strides beyond the filter the cpu backend misplaces 'same' windows: see below
  .filter(({ kernel, strides, pad }) => pad === 'valid' || kernel.every((size, axis) => size >= strides[axis]))
  .map(({ size, kernel, strides, pad }) => convolution(size, kernel, strides, pad));

describe('conv3d and its gradients on wasm', () => {
  it('equal the cpu backend, whatever sizes, strides and padding, and leak nothing', async () => {
    await expectWasmEqualsCpu(fc.sample(anyCase, { numRuns: 60, seed: 4 }));
  });

  it('equal the cpu backend where the work is done in parts', async () => {
    await expectWasmEqualsCpu([convolution([12, 40, 40], [3, 3, 3], [1, 1, 1], 'same')]);
  });

  it('equal central differences', async () => {
    await expectCentralDifferences('wasm', [
      convolution([4, 5, 4], [2, 3, 2], [1, 1, 1], 'same'),
      convolution([5, 5, 6], [3, 2, 3], [2, 2, 2], 'valid'),
      convolution([5, 7, 6], [2, 2, 1], [3, 3, 3], 'same'),
    ]);
  });

  it("put 'same' windows that leap over the end where they are in Keras: the first one at the first pixel", async () => {
    // size 6, kernel 1, stride 4: output size 2, (2 - 1) * 4 + 1 = 5 <= 6, so nothing is padded: pixels 0 and 4
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const x = tf.range(1, 7).reshape([1, 1, 1, 6, 1]) as tf.Tensor5D;
        const y = tf.conv3d(x, tf.ones([1, 1, 1, 1, 1]), [1, 1, 4], 'same');
        expect(Array.from(y.dataSync())).toEqual([1, 5]);
      }),
    );
  });
});
