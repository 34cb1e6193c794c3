import { describe, expect, it } from 'vitest';
import { bilinearGradient, nearestGradient } from '../../../../adapters/tfjs/kernels/resizing.js';
import { expectCentralDifferences, type KernelCase, kernelCase, testGradients } from '../../../helpers/kernels.js';
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
  const dy = Array.from({ length: 23 }, (_, at) => 2 ** (at % 20));
  const moved = (more = {}) => gradient(nearestGradient, 14, dy, { alignCorners: true, ...more });
  expect(moved({ rounded: Math.fround })).not.toEqual(moved());
});

it('bilinearGradient shares by distance', () => {
  // places 0, 0.5, 1 and 1.5, the last between the last pixel and itself
  expect(gradient(bilinearGradient, 2, [1, 2, 4, 8])).toEqual([1 + 1, 1 + 4 + 8]);
  // places -0.25, 0.25, 0.75 and 1.25
  expect(gradient(bilinearGradient, 2, [1, 2, 4, 8], { halfPixelCenters: true })).toEqual([1 + 1.5 + 1, 0.5 + 3 + 8]);
});

type Way = 'plain' | 'align' | 'half';
const resized = (
  method: 'resizeNearestNeighbor' | 'resizeBilinear',
  shape: string,
  to: [number, number],
  way: Way,
): KernelCase =>
  kernelCase(`${method} ${shape} to ${to} ${way}`, [shape], (x: tf.Tensor4D) =>
    tf.image[method](x, to, way === 'align', way === 'half'),
  );

const CASES: KernelCase[] = [];
for (const method of ['resizeNearestNeighbor', 'resizeBilinear'] as const) {
  for (const way of ['plain', 'align', 'half'] as const) {
    CASES.push(
      resized(method, '3 2 3 2', [6, 9], way),
      resized(method, '3 4 5 2', [7, 5], way),
      resized(method, '3 6 6 2', [3, 3], way),
      resized(method, '3 1 1 2', [3, 4], way),
    );
  }
}
testGradients('the gradients of resized images', CASES);

/** Sizes at which a place lies so near an edge that 32 bits give it another pixel than 64. */
const ON_EDGE = [
  resized('resizeNearestNeighbor', '1 14 2 1', [23, 2], 'align'),
  resized('resizeNearestNeighbor', '1 16 2 1', [23, 2], 'align'),
  resized('resizeNearestNeighbor', '1 14 2 1', [23, 2], 'half'),
];
it.each(['wasm', 'cpu'])('takes the pixel that was copied on %s, also where it is a matter of rounding', (backend) =>
  expectCentralDifferences(backend, ON_EDGE),
);
