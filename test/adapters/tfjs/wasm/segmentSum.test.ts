import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const gather = (shape: number[], indices: number[], axis: number): KernelCase => ({
  name: JSON.stringify({ shape, indices, axis }),
  shapes: [shape],
  compute: (x) => tf.gather(x, tf.tensor1d(indices, 'int32'), axis),
});

const anyCase = fc
  .record({
    shape: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })),
    axis: fc.integer({ min: 0, max: 2 }),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 9 }),
  })
  .map(({ shape, axis, picks }) =>
    gather(
      shape,
      picks.map((pick) => pick % shape[axis]),
      axis,
    ),
  );

describe('UnsortedSegmentSum on wasm', () => {
  it('adds up the rows of each segment and leaves out what has none', async () => {
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const x = tf.tensor2d([1, 2, 3, 4, 5, 6, 7, 8], [4, 2]);
        const sums = tf.unsortedSegmentSum(x, tf.tensor1d([2, 0, 2, -1], 'int32'), 3);
        expect(sums.arraySync()).toEqual([
          [3, 4],
          [0, 0],
          [6, 8],
        ]);
        const whole = tf.unsortedSegmentSum(tf.tensor1d([1, 2, 3], 'int32'), tf.tensor1d([1, 1, 7], 'int32'), 2);
        expect([whole.dtype, whole.arraySync()]).toEqual(['int32', [0, 3]]);
      }),
    );
  });

  it('is the gradient of gather, as on the cpu backend, with rows taken more than once', async () => {
    await expectWasmEqualsCpu(fc.sample(anyCase, { numRuns: 60, seed: 4 }));
    await expectCentralDifferences('wasm', [gather([5, 3], [1, 1, 4, 0], 0), gather([2, 4, 3], [3, 0, 3], 1)]);
  });

  it('trains embeddings', async () => {
    await onBackend('wasm', async () => {
      const model = tf.sequential();
      model.add(tf.layers.embedding({ inputDim: 4, outputDim: 2, inputLength: 3 }));
      model.add(tf.layers.flatten());
      model.add(tf.layers.dense({ units: 1 }));
      model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
      const [x, y] = [
        tf.tensor2d(
          [
            [0, 1, 1],
            [2, 0, 2],
          ],
          [2, 3],
          'int32',
        ),
        tf.tensor2d([[1], [0]]),
      ];
      const before = Array.from(model.getWeights()[0].dataSync());
      await model.fit(x, y, { epochs: 1, verbose: 0 });
      const after = Array.from(model.getWeights()[0].dataSync());
      // word 3 does not occur, so only its vector stays
      expect(after.map((value, at) => value === before[at])).toEqual([...new Array(6).fill(false), true, true]);
      tf.dispose([x, y]);
      model.dispose();
    });
  });
});
