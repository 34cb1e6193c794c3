import { describe, expect, it } from 'vitest';
import { registerConv2dBackpropFilter } from '../../../../adapters/tfjs/wasm/conv2dBackpropFilter.js';
import { gap, onBackend, tf } from '../../../helpers/tfjsModels.js';

type Pad = 'same' | 'valid' | number;
interface Case {
  readonly size: [height: number, width: number];
  readonly kernel: [height: number, width: number];
  readonly strides: [number, number];
  readonly pad: Pad;
  readonly batch: number;
  readonly inChannels: number;
  readonly outChannels: number;
}

const GRID: Case[] = [];
for (const size of [
  [5, 6],
  [8, 7],
  [9, 9],
] as [number, number][]) {
  for (const kernel of [
    [1, 1],
    [2, 2],
    [3, 3],
    [3, 2],
    [5, 5],
  ] as [number, number][]) {
    for (const strides of [
      [1, 1],
      [2, 2],
      [3, 3],
      [1, 2],
    ] as [number, number][]) {
      for (const pad of ['same', 'valid', 1] as Pad[]) {
        if (pad === 1 && (kernel[0] === 1 || kernel[0] !== kernel[1])) continue; // tfjs wants square filters here
        GRID.push({ size, kernel, strides, pad, batch: 3, inChannels: 2, outChannels: 4 });
      }
    }
  }
}
GRID.push({ size: [6, 6], kernel: [3, 3], strides: [1, 1], pad: 'same', batch: 1, inChannels: 1, outChannels: 1 });

const wave = (shape: number[], step: number) =>
  tf.tidy(() => tf.sin(tf.mul(tf.range(0, tf.util.sizeFromShape(shape)), step)).reshape(shape));

/** The gradient of sum(conv2d(x, filter) * dy), which is linear in the filter, by the running backend. */
function filterGradient({ size, kernel, strides, pad, batch, inChannels, outChannels }: Case): number[] {
  const before = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
  const values = tf.tidy(() => {
    const x = wave([batch, ...size, inChannels], 1.3) as tf.Tensor4D;
    const filter = wave([...kernel, inChannels, outChannels], 0.7) as tf.Tensor4D;
    const info = tf.backend_util.computeConv2DInfo(x.shape, filter.shape, strides, 1, pad);
    const dy = wave(info.outShape, 0.37);
    const gradient = tf.grad((f) =>
      tf
        .conv2d(x, f as tf.Tensor4D, strides, pad)
        .mul(dy)
        .sum(),
    )(filter);
    return Array.from(gradient.dataSync());
  });
  const after = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
  expect(after).toEqual(before);
  return values;
}

describe('Conv2DBackpropFilter on wasm', () => {
  it(`equals the cpu backend in ${GRID.length} cases and leaks nothing`, async () => {
    const cpu = await onBackend('cpu', () => GRID.map(filterGradient));
    const wasm = await onBackend('wasm', () => GRID.map(filterGradient));
    GRID.forEach((each, place) => {
      const scale = Math.max(1, ...cpu[place].map(Math.abs));
      expect(gap(cpu[place], wasm[place]) / scale, JSON.stringify(each)).toBeLessThan(1e-5);
    });
  });

  it('equals central differences', async () => {
    await onBackend('wasm', () => {
      const x = wave([2, 5, 5, 2], 1.3) as tf.Tensor4D;
      const filter = Array.from(wave([3, 3, 2, 1], 0.7).dataSync());
      const loss = (values: number[]) =>
        tf.tidy(
          () =>
            tf
              .conv2d(x, tf.tensor4d(values, [3, 3, 2, 1]), 2, 'same')
              .square()
              .sum()
              .dataSync()[0],
        );
      const gradient = tf.grad((f) =>
        tf
          .conv2d(x, f as tf.Tensor4D, 2, 'same')
          .square()
          .sum(),
      )(tf.tensor4d(filter, [3, 3, 2, 1]));
      const h = 1e-2; // the loss is quadratic, so the difference is exact but for rounding
      const numeric = filter.map(
        (value, at) => (loss(filter.with(at, value + h)) - loss(filter.with(at, value - h))) / (2 * h),
      );
      expect(gap(numeric, gradient.dataSync())).toBeLessThan(2e-3 * Math.max(...numeric.map(Math.abs)));
    });
  });

  it('trains 1-D convolutions, too', async () => {
    const gradient = () =>
      tf.tidy(() => {
        const x = wave([2, 9, 3], 1.1) as tf.Tensor3D;
        const filter = wave([3, 3, 2], 0.7) as tf.Tensor3D;
        return Array.from(
          tf
            .grad((f) =>
              tf
                .conv1d(x, f as tf.Tensor3D, 2, 'same')
                .square()
                .sum(),
            )(filter)
            .dataSync(),
        );
      });
    expect(gap(await onBackend('cpu', gradient), await onBackend('wasm', gradient))).toBeLessThan(1e-4);
  });

  it('is registered once, and not where the backend has one', async () => {
    await onBackend('wasm', () => {
      const kernel = tf.getKernel('Conv2DBackpropFilter', 'wasm');
      registerConv2dBackpropFilter(tf);
      expect(tf.getKernel('Conv2DBackpropFilter', 'wasm')).toBe(kernel);
    });
  });
});
