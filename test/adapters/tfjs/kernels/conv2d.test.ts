import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expectCentralDifferences,
  expectWasmEqualsCpu,
  type KernelCase,
  kernelCase,
  testGradients,
  wave,
} from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

type Four = tf.Tensor4D;
type Pad = 'same' | 'valid' | number;

const convolution = (size: number[], kernel: number[], strides: [number, number], pad: Pad): KernelCase =>
  kernelCase(
    JSON.stringify({ size, kernel, strides, pad }),
    [`3 ${size.join(' ')} 2`, `${kernel.join(' ')} 2 4`],
    (x: Four, filter: Four) => tf.conv2d(x, filter, strides, pad),
  );

const anyCase = fc
  .record({
    size: fc.tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 9 })),
    kernel: fc.integer({ min: 1, max: 3 }),
    wide: fc.integer({ min: 1, max: 3 }),
    strides: fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
    pad: fc.constantFrom<Pad>('same', 'valid', 0, 1),
  })
  // with padding as a number tfjs computes the shape of the output for square filters and equal strides only
  .map(({ size, kernel, wide, strides, pad }) => {
    const square = typeof pad === 'number';
    return convolution(size, [kernel, square ? kernel : wide], square ? [strides[0], strides[0]] : strides, pad);
  });

describe('the gradients of conv2d on wasm', () => {
  it('equal the cpu backend, whatever sizes, strides and padding, and leak nothing', async () => {
    await expectWasmEqualsCpu(fc.sample(anyCase, { numRuns: 80, seed: 4 }));
  });

  it('equal central differences', async () => {
    await expectCentralDifferences('wasm', [
      convolution([5, 6], [3, 2], [1, 1], 'same'),
      convolution([7, 6], [3, 3], [2, 2], 'valid'),
      convolution([7, 8], [2, 2], [3, 3], 'same'),
    ]);
  });

  it('release everything when a kernel throws in the middle', async () => {
    await onBackend('wasm', () => {
      const before = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
      const original = tf.getKernel('Conv2D', 'wasm');
      const { kernelFunc } = original;
      const failing = original as { kernelFunc: typeof kernelFunc };
      try {
        tf.tidy(() => {
          const [x, dy, filter] = [wave([1, 5, 5, 1]), wave([1, 5, 5, 2]), wave([3, 3, 1, 2])];
          failing.kernelFunc = () => {
            throw new Error('out of memory');
          };
          const attrs = { strides: [1, 1], pad: 'same', dataFormat: 'NHWC' };
          const run = (name: string, inputs: Record<string, tf.Tensor>, more: tf.NamedAttrMap) =>
            tf.engine().runKernel(name, inputs, { ...attrs, ...more });
          expect(() => run('Conv2DBackpropFilter', { x, dy }, { filterShape: [3, 3, 1, 2] })).toThrow('out of memory');
          expect(() => run('Conv2DBackpropInput', { dy, filter }, { inputShape: [1, 5, 5, 1] })).toThrow(
            'out of memory',
          );
        });
      } finally {
        failing.kernelFunc = kernelFunc;
      }
      expect({ tensors: tf.memory().numTensors, data: tf.backend().numDataIds() }).toEqual(before);
    });
  });

  it('refuse channels first by the filter, as conv2d does on wasm, and know them by the input', async () => {
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const attrs = { strides: [1, 1], pad: 'valid', dataFormat: 'NCHW' };
        const [x, dy, filter] = [wave([1, 2, 5, 5]), wave([1, 3, 3, 3]), wave([3, 3, 2, 3])];
        const engine = tf.engine();
        const refused = () =>
          engine.runKernel('Conv2DBackpropFilter', { x, dy }, { ...attrs, filterShape: [3, 3, 2, 3] });
        expect(refused).toThrow(/Conv2DBackpropFilter .*'channelsFirst'/);
        const dx = engine.runKernel('Conv2DBackpropInput', { dy, filter }, { ...attrs, inputShape: x.shape });
        expect((dx as tf.Tensor).shape).toEqual(x.shape);
      }),
    );
  });
});

interface Parts {
  readonly size: [number, number];
  readonly kernel: number;
  readonly strides: number;
  readonly pad: Pad;
  readonly channels: number;
  readonly multiplier: number;
}

const depthwise = ({ size, kernel, strides, pad, channels, multiplier }: Parts): KernelCase =>
  kernelCase(
    JSON.stringify({ size, kernel, strides, pad, channels, multiplier }),
    [`3 ${size.join(' ')} ${channels}`, `${kernel} ${kernel} ${channels} ${multiplier}`],
    (x: Four, filter: Four) => tf.depthwiseConv2d(x, filter, strides, pad),
  );

const anyDepthwise = fc
  .record({
    size: fc.tuple(fc.integer({ min: 3, max: 9 }), fc.integer({ min: 3, max: 9 })),
    kernel: fc.integer({ min: 1, max: 3 }),
    strides: fc.integer({ min: 1, max: 4 }),
    pad: fc.constantFrom<Pad>('same', 'valid', 1),
    channels: fc.integer({ min: 1, max: 4 }),
    multiplier: fc.integer({ min: 1, max: 3 }),
  })
  .map(depthwise);

describe('the gradients of depthwise convolution on wasm', () => {
  it('equal the cpu backend, whatever sizes, strides, padding and multiplier, and leak nothing', async () => {
    await expectWasmEqualsCpu(fc.sample(anyDepthwise, { numRuns: 60, seed: 4 }));
  });

  it('equal central differences', async () => {
    await expectCentralDifferences('wasm', [
      depthwise({ size: [5, 6], kernel: 3, strides: 1, pad: 'same', channels: 2, multiplier: 2 }),
      depthwise({ size: [7, 6], kernel: 2, strides: 3, pad: 'same', channels: 3, multiplier: 1 }),
    ]);
  });
});

const BUILT_ON_THEM = [
  kernelCase('conv1d', ['2 9 3', '3 3 2'], (x: tf.Tensor3D, filter: tf.Tensor3D) => tf.conv1d(x, filter, 2, 'same')),
  kernelCase('conv2dTranspose', ['2 4 5 3', '3 3 2 3'], (x: Four, filter: Four) =>
    tf.conv2dTranspose(x, filter, [2, 8, 10, 2], 2, 'same'),
  ),
  kernelCase('separable', ['2 6 5 3', '3 3 3 2', '1 1 6 4'], (x: Four, depth: Four, point: Four) =>
    tf.separableConv2d(x, depth, point, 2, 'same'),
  ),
];
testGradients('the gradients of 1-D, transposed and separable convolution', BUILT_ON_THEM, ['wasm']);
