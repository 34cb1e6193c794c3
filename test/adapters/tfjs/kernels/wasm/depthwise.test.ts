import fc from 'fast-check';
import { describe, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../../helpers/kernels.js';
import { tf } from '../../../../helpers/tfjsModels.js';

type Pad = 'same' | 'valid' | number;
interface Parts {
  readonly size: [number, number];
  readonly kernel: number;
  readonly strides: number;
  readonly pad: Pad;
  readonly channels: number;
  readonly multiplier: number;
}

const depthwise = (parts: Parts): KernelCase => ({
  name: JSON.stringify(parts),
  shapes: [
    [3, ...parts.size, parts.channels],
    [parts.kernel, parts.kernel, parts.channels, parts.multiplier],
  ],
  compute: (x, filter) => tf.depthwiseConv2d(x as tf.Tensor4D, filter as tf.Tensor4D, parts.strides, parts.pad),
});

const anyCase = fc
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
    await expectWasmEqualsCpu(fc.sample(anyCase, { numRuns: 60, seed: 4 }));
  });

  it('equal central differences', async () => {
    await expectCentralDifferences('wasm', [
      depthwise({ size: [5, 6], kernel: 3, strides: 1, pad: 'same', channels: 2, multiplier: 2 }),
      depthwise({ size: [7, 6], kernel: 2, strides: 3, pad: 'same', channels: 3, multiplier: 1 }),
    ]);
  });

  it('serve separable convolution', async () => {
    const separable: KernelCase = {
      name: 'separable',
      shapes: [
        [2, 6, 5, 3],
        [3, 3, 3, 2],
        [1, 1, 6, 4],
      ],
      compute: (x, depth, point) =>
        tf.separableConv2d(x as tf.Tensor4D, depth as tf.Tensor4D, point as tf.Tensor4D, 2, 'same'),
    };
    await expectWasmEqualsCpu([separable]);
    await expectCentralDifferences('wasm', [separable]);
  });
});
