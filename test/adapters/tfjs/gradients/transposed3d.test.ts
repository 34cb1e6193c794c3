import { describe, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

const CASES: KernelCase[] = [1, 2].map((strides) => ({
  name: `strides ${strides}`,
  shapes: [
    [2, 3, 2, 3, 2],
    [2, 2, 2, 3, 2],
  ],
  compute: (x, filter) => {
    const outShape: [number, number, number, number, number] = [2, 3 * strides, 2 * strides, 3 * strides, 3];
    return tf.conv3dTranspose(x as tf.Tensor5D, filter as tf.Tensor5D, outShape, strides, 'same');
  },
}));

describe('gradients of transposed 3-D convolution', () => {
  it('are the same on wasm and cpu and leak nothing', async () => {
    await expectWasmEqualsCpu(CASES);
  });

  it.each(['wasm', 'cpu'])('equal central differences on %s', async (backend) => {
    await expectCentralDifferences(backend, CASES);
  });
});
