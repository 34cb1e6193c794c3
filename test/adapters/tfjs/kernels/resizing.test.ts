import { it } from 'vitest';
import { expectCentralDifferences, type KernelCase, kernelCase, testGradients } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

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
