import { describe, expect, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase, wave } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const kept = (compare: (x: tf.Tensor, y: tf.Tensor) => tf.Tensor): KernelCase => ({
  name: String(compare),
  shapes: [[3, 4]],
  compute: (x) => x.mul(tf.cast(compare(x, wave([4], 0.9)), 'float32')),
});

const CASES = [
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
    await expectWasmEqualsCpu(CASES);
    await expectCentralDifferences('wasm', CASES, 1e-2);
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
