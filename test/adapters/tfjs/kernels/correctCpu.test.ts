import { describe, expect, it } from 'vitest';
import { correctCpu } from '../../../../adapters/tfjs/kernels/correctCpu.js';
import { differentiate } from '../../../helpers/kernels.js';
import { tf } from '../../../helpers/tfjsModels.js';

// The kernels are compared with central differences in ../wasm/resizing.test.ts and ../wasm/pooling.test.ts.
describe('correctCpu', () => {
  it('gives every image of a batch its gradient, registers once and leaks nothing', async () => {
    await tf.setBackend('cpu');
    correctCpu(tf);
    const kernel = tf.getKernel('ResizeNearestNeighborGrad', 'cpu');
    correctCpu(tf);
    expect(tf.getKernel('ResizeNearestNeighborGrad', 'cpu')).toBe(kernel);
    const doubled = (x: tf.Tensor) => tf.image.resizeNearestNeighbor(x as tf.Tensor4D, [4, 4]);
    const gradient = tf.grad((x) => doubled(x).sum());
    const values = tf.tidy(() => Array.from(gradient(tf.ones([3, 2, 2, 1])).dataSync()));
    expect(values).toEqual(new Array(12).fill(4)); // each pixel was copied to four
    differentiate({ name: 'up-sampling', shapes: [[2, 2, 2, 1]], compute: doubled });
  });

  it('does not count padding in the gradient of average pooling', async () => {
    await tf.setBackend('cpu');
    correctCpu(tf);
    // windows of 2 over 3 pixels, padded at the end: means of {1, 2}, {2, 3} and {3} alone
    const gradient = tf.grad((x) => tf.avgPool(x as tf.Tensor4D, [1, 2], 1, 'same').sum());
    expect(tf.tidy(() => Array.from(gradient(tf.ones([1, 1, 3, 1])).dataSync()))).toEqual([0.5, 1, 1.5]);
  });

  it('gives windows that are no cubes their maximum in 3-D max pooling', async () => {
    await tf.setBackend('cpu');
    correctCpu(tf);
    // Each window of 3 x 2 x 1 has its maximum at its first pixel.
    const x = tf.range(0, 12).reverse().reshape([1, 3, 2, 2, 1]);
    const gradient = tf.tidy(() => tf.grad((t) => tf.maxPool3d(t as tf.Tensor5D, [3, 2, 1], 1, 'valid').sum())(x));
    expect(Array.from(gradient.dataSync())).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    tf.dispose([x, gradient]);
  });
});
