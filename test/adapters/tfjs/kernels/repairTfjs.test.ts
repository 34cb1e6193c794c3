import '@tensorflow/tfjs-backend-wasm';
import { describe, expect, it } from 'vitest';
import * as kernels from '../../../../adapters/tfjs/kernels/index.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';
import { thrown } from '../../../helpers/thrown.js';

const { repairTfjs } = kernels;

/** The gradient of a dilated convolution by its filter: on each of two taps the sum of the pixels that it sees. */
const gradient = () =>
  tf.tidy(() => {
    const x = tf.range(1, 6).reshape([1, 1, 5, 1]) as tf.Tensor4D;
    const sum = (filter: tf.Tensor) => tf.conv2d(x, filter as tf.Tensor4D, 1, 'valid', 'NHWC', [1, 3]).sum();
    const bySum = tf.grad(sum);
    return Array.from(bySum(tf.ones([1, 2, 1, 1])).dataSync());
  });

describe('repairTfjs', () => {
  it('repairs gradients and the kernels of cpu and wasm, once', async () => {
    repairTfjs(tf);
    const installed = () => ['cpu', 'wasm'].map((backend) => tf.getKernel('AvgPoolGrad', backend));
    const before = installed();
    repairTfjs(tf);
    expect(installed()).toEqual(before);
    for (const backend of ['cpu', 'wasm']) expect(await onBackend(backend, gradient)).toEqual([1 + 2, 4 + 5]);
  });

  it('leaves out a backend that has not been imported', () => {
    const asked: string[] = [];
    const bare = {
      ...tf,
      findBackendFactory: (name: string) => {
        asked.push(name);
        return null;
      },
    };
    repairTfjs(bare);
    expect(asked).toEqual(['cpu', 'wasm']);
  });
});

describe.each(Object.values(kernels))('%o', (repair) => {
  it.each([{}, undefined, 'tfjs'])('refuses %s, which is not tfjs', async (library) => {
    expect(await thrown(() => repair(library as object, {}))).toContain(
      `AdapterError (invalid_library): The library of ${repair.name} must be tfjs: import * as tf from '@tensorflow/tfjs'. Got`,
    );
  });
});
