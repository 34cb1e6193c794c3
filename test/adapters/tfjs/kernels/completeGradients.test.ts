import { describe, expect, it } from 'vitest';
import { completeGradients } from '../../../../adapters/tfjs/kernels/completeGradients.js';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase, wave } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const NAMES = ['Conv2D', 'Conv3D', 'DepthwiseConv2dNative', 'Einsum', 'Conv3DBackpropInputV2', 'Greater', 'Any'];

it('completeGradients registers every gradient once, and leaves others as they are', () => {
  const relu = tf.getGradient('Relu');
  completeGradients(tf);
  const gradients = NAMES.map((name) => tf.getGradient(name));
  completeGradients(tf);
  NAMES.forEach((name, at) => {
    expect(tf.getGradient(name), name).toBe(gradients[at]);
    expect(gradients[at].kernelName).toBe(name);
  });
  expect(tf.getGradient('Relu')).toBe(relu);
});

const DILATED: KernelCase[] = [];
for (const pad of ['same', 'valid'] as const) {
  for (const [high, wide] of [
    [2, 2],
    [3, 2],
    [1, 3],
  ]) {
    DILATED.push(
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
  DILATED.push(
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
    await expectWasmEqualsCpu(DILATED);
  });

  it.each(['wasm', 'cpu'])('equal central differences on %s', async (backend) => {
    await expectCentralDifferences(backend, DILATED);
  });
});

const TRANSPOSED: KernelCase[] = [1, 2].map((strides) => ({
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
    await expectWasmEqualsCpu(TRANSPOSED);
  });

  it.each(['wasm', 'cpu'])('equal central differences on %s', async (backend) => {
    await expectCentralDifferences(backend, TRANSPOSED);
  });
});

const kept = (compare: (x: tf.Tensor, y: tf.Tensor) => tf.Tensor): KernelCase => ({
  name: String(compare),
  shapes: [[3, 4]],
  compute: (x) => x.mul(tf.cast(compare(x, wave([4], 0.9)), 'float32')),
});

const COMPARISONS = [
  kept((x, y) => tf.greater(x, y)),
  kept((x, y) => tf.less(x, y)),
  kept((x, y) => tf.lessEqual(x, y)),
  kept((x, y) => tf.notEqual(x, y)),
  kept((x, y) => tf.logicalNot(tf.equal(x, y))),
  kept((x, y) => tf.logicalAnd(tf.greater(x, y), tf.less(x, 0.8))),
  kept((x, y) => tf.logicalOr(tf.greater(x, y), tf.less(x, 0))),
  kept((x, y) => tf.any(tf.greater(x, y), -1, true)),
  kept((x, y) => tf.all(tf.greater(x, y), -1, true)),
];

describe('gradients of comparisons', () => {
  it('let the gradient of everything else through, on wasm as on cpu', async () => {
    await expectWasmEqualsCpu(COMPARISONS);
    await expectCentralDifferences('wasm', COMPARISONS, 1e-2);
  });

  it('are zero', async () => {
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const gradient = tf.grad((x) => tf.cast(tf.greater(x, 0), 'float32').sum())(wave([5]));
        expect(Array.from(gradient.dataSync())).toEqual([0, 0, 0, 0, 0]);
      }),
    );
  });
});
