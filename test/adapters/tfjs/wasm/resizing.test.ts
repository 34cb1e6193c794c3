import { describe, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

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
