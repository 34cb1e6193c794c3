import { describe, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

const CASES: KernelCase[] = [];
for (const pad of ['same', 'valid'] as const) {
  for (const [high, wide] of [
    [2, 2],
    [3, 2],
    [1, 3],
  ]) {
    CASES.push(
      {
        name: `conv2d ${pad} ${high} ${wide}`,
        shapes: [
          [2, 8, 9, 2],
          [3, 2, 2, 3],
        ],
        compute: (x, f) => tf.conv2d(x as tf.Tensor4D, f as tf.Tensor4D, 1, pad, 'NHWC', [high, wide]),
      },
      {
        name: `depthwise ${pad} ${high} ${wide}`,
        shapes: [
          [2, 8, 9, 2],
          [3, 2, 2, 2],
        ],
        compute: (x, f) => tf.depthwiseConv2d(x as tf.Tensor4D, f as tf.Tensor4D, 1, pad, 'NHWC', [high, wide]),
      },
    );
  }
  CASES.push(
    {
      name: `conv1d ${pad}`,
      shapes: [
        [2, 9, 2],
        [3, 2, 3],
      ],
      compute: (x, f) => tf.conv1d(x as tf.Tensor3D, f as tf.Tensor3D, 1, pad, 'NWC', 2),
    },
    {
      name: `conv3d ${pad}`,
      shapes: [
        [1, 5, 6, 5, 2],
        [2, 3, 2, 2, 2],
      ],
      compute: (x, f) => tf.conv3d(x as tf.Tensor5D, f as tf.Tensor5D, 1, pad, 'NDHWC', 2),
    },
  );
}

describe('gradients of dilated convolutions', () => {
  it('are the same on wasm and cpu and leak nothing', async () => {
    await expectWasmEqualsCpu(CASES);
  });

  it.each(['wasm', 'cpu'])('equal central differences on %s', async (backend) => {
    await expectCentralDifferences(backend, CASES);
  });
});
