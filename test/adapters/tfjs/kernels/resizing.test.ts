import { describe, expect, it } from 'vitest';
import { bilinearGradient, nearestGradient } from '../../../../adapters/tfjs/kernels/resizing.js';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

/** The gradient of a row of `from` pixels that became one of as many as `dy` has. */
function gradient(work: typeof nearestGradient, from: number, dy: number[], options = {}): number[] {
  const dx = new Float32Array(from);
  const shapes = { from: [1, 1, from, 1], to: [1, 1, dy.length, 1] };
  work({ ...shapes, alignCorners: false, halfPixelCenters: false, ...options }, Float32Array.from(dy), dx);
  return Array.from(dx);
}

describe('nearestGradient', () => {
  it('adds up over the copies of a pixel', () => {
    expect(gradient(nearestGradient, 2, [1, 2, 4, 8])).toEqual([3, 12]);
    expect(gradient(nearestGradient, 2, [1, 2, 4], { alignCorners: true })).toEqual([1, 6]); // places 0, 0.5, 1
    expect(gradient(nearestGradient, 1, [1, 2, 4], { alignCorners: true })).toEqual([7]);
  });

  it('takes the pixels in the middle with half-pixel centers', () => {
    // 4 pixels to 2: places 0.5 * 2 = 1 and 1.5 * 2 = 3
    expect(gradient(nearestGradient, 4, [1, 2], { halfPixelCenters: true })).toEqual([0, 1, 0, 2]);
  });
});

it('nearestGradient of 32 bits rounds as the forward pass does', () => {
  // Pixel 11 of 23 comes from 11 * 13 / 22 = 6.5, between two pixels; in 32 bits it is 6.4999995.
  const moved = (from: number, to: number, options: object) =>
    [{}, { rounded: Math.fround }].map((more) =>
      gradient(
        nearestGradient,
        from,
        Array.from({ length: to }, (_, at) => 2 ** (at % 20)),
        { ...options, ...more },
      ),
    );
  const [exact, single] = moved(14, 23, { alignCorners: true });
  expect(single).not.toEqual(exact);
});

it('bilinearGradient shares by distance', () => {
  // places 0, 0.5, 1 and 1.5, the last between the last pixel and itself
  expect(gradient(bilinearGradient, 2, [1, 2, 4, 8])).toEqual([1 + 1, 1 + 4 + 8]);
  // places -0.25, 0.25, 0.75 and 1.25
  expect(gradient(bilinearGradient, 2, [1, 2, 4, 8], { halfPixelCenters: true })).toEqual([1 + 1.5 + 1, 0.5 + 3 + 8]);
});

const CASES: KernelCase[] = [];
for (const method of ['resizeNearestNeighbor', 'resizeBilinear'] as const) {
  for (const [from, to] of [
    [
      [2, 3],
      [6, 9],
    ],
    [
      [4, 5],
      [7, 5],
    ],
    [
      [6, 6],
      [3, 3],
    ],
    [
      [1, 1],
      [3, 4],
    ],
  ] as [number, number][][]) {
    for (const [align, half] of [
      [false, false],
      [true, false],
      [false, true],
    ]) {
      CASES.push({
        name: JSON.stringify({ method, from, to, align, half }),
        shapes: [[3, ...from, 2]],
        compute: (x) => tf.image[method](x as tf.Tensor4D, to, align, half),
      });
    }
  }
}

/** Sizes at which a place lies so near an edge that 32 bits give it another pixel than 64. */
const ON_EDGE: KernelCase[] = [
  { from: 14, to: 23, align: true, half: false },
  { from: 16, to: 23, align: true, half: false },
  { from: 14, to: 23, align: false, half: true },
].map(({ from, to, align, half }) => ({
  name: JSON.stringify({ from, to, align, half }),
  shapes: [[1, from, 2, 1]],
  compute: (x) => tf.image.resizeNearestNeighbor(x as tf.Tensor4D, [to, 2], align, half),
}));

describe('the gradients of resized images', () => {
  it.each(['wasm', 'cpu'])('take the pixel that was copied on %s, also where it is a matter of rounding', (backend) =>
    expectCentralDifferences(backend, ON_EDGE),
  );

  it('are the same on wasm and cpu, for every image of a batch, and leak nothing', async () => {
    await expectWasmEqualsCpu(CASES);
  });

  it.each(['wasm', 'cpu'])('equal central differences on %s', async (backend) => {
    await expectCentralDifferences(backend, CASES);
  });
});
