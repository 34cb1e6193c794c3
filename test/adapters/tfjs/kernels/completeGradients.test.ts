import { describe, expect, it } from 'vitest';
import { completeGradients } from '../../../../adapters/tfjs/kernels/completeGradients.js';
import {
  expectCentralDifferences,
  expectWasmEqualsCpu,
  type KernelCase,
  kernelCase,
  testGradients,
  wave,
} from '../../../helpers/kernels.js';
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

type Four = tf.Tensor4D;
type Five = tf.Tensor5D;
const DILATED: KernelCase[] = [];
for (const pad of ['same', 'valid'] as const) {
  for (const each of ['2 2', '3 2', '1 3']) {
    const dilations = each.split(' ').map(Number) as [number, number];
    const dense = (x: Four, filter: Four) => tf.conv2d(x, filter, 1, pad, 'NHWC', dilations);
    const depthwise = (x: Four, filter: Four) => tf.depthwiseConv2d(x, filter, 1, pad, 'NHWC', dilations);
    DILATED.push(
      kernelCase(`conv2d ${pad} ${each}`, ['2 8 9 2', '3 2 2 3'], dense),
      kernelCase(`depthwise ${pad} ${each}`, ['2 8 9 2', '3 2 2 2'], depthwise),
    );
  }
  const line = (x: tf.Tensor3D, filter: tf.Tensor3D) => tf.conv1d(x, filter, 1, pad, 'NWC', 2);
  const cube = (x: Five, filter: Five) => tf.conv3d(x, filter, 1, pad, 'NDHWC', 2);
  DILATED.push(
    kernelCase(`conv1d ${pad}`, ['2 9 2', '3 2 3'], line),
    kernelCase(`conv3d ${pad}`, ['1 5 6 5 2', '2 3 2 2 2'], cube),
  );
}
testGradients('gradients of dilated convolutions', DILATED);

const TRANSPOSED = [1, 2].map((strides) =>
  kernelCase(`strides ${strides}`, ['2 3 2 3 2', '2 2 2 3 2'], (x: Five, filter: Five) =>
    tf.conv3dTranspose(x, filter, [2, 3 * strides, 2 * strides, 3 * strides, 3], strides, 'same'),
  ),
);
testGradients('gradients of transposed 3-D convolution', TRANSPOSED);

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
