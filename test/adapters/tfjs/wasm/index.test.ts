import * as wasmPackage from '@tensorflow/tfjs-backend-wasm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completeWasm } from '../../../../adapters/tfjs/index.js';
import { completeWasm as same } from '../../../../adapters/tfjs/wasm/index.js';
import { withSeededRandom } from '../../../../src/core/seededRandom.js';
import { tf } from '../../../helpers/tfjsModels.js';
import { thrown } from '../../../helpers/thrown.js';

const model = () => {
  const { layers } = tf;
  return tf.sequential({
    layers: [
      layers.conv2d({ inputShape: [8, 8, 1], filters: 2, kernelSize: 3, activation: 'relu' }),
      layers.separableConv2d({ filters: 3, kernelSize: 2 }),
      layers.maxPooling2d({ poolSize: 2 }),
      layers.flatten(),
      layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('completeWasm', () => {
  it('makes model.fit work on wasm without the runner, quietly, before or after the backend is set, and leaks nothing', async () => {
    const warn = vi.spyOn(console, 'warn');
    expect(wasmPackage.version_wasm).toBe(tf.version['tfjs-core']);
    completeWasm(tf); // before
    await tf.setBackend('wasm');
    completeWasm(tf); // after, and again
    const before = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
    const optimizer = tf.train.sgd(0.5);
    const net = withSeededRandom(1, model);
    net.compile({ optimizer, loss: 'binaryCrossentropy' });
    // bright images are 1, dark ones 0
    const labels = Array.from({ length: 16 }, (_, row) => row % 2);
    const values = labels.flatMap((label) => Array.from({ length: 64 }, (_, at) => label + Math.sin(at) / 4));
    const [x, y] = [tf.tensor4d(values, [16, 8, 8, 1]), tf.tensor2d(labels, [16, 1])];
    const { history } = await net.fit(x, y, { epochs: 40, shuffle: false, verbose: 0 });
    expect(history.loss.at(-1)).toBeLessThan((history.loss[0] as number) / 2);
    tf.dispose([x, y]);
    net.dispose();
    optimizer.dispose();
    expect({ tensors: tf.memory().numTensors, data: tf.backend().numDataIds() }).toEqual(before);
    expect(warn).not.toHaveBeenCalled();
  });

  it('registers every kernel once', async () => {
    expect(same).toBe(completeWasm);
    const kernels = () => tf.getKernelsForBackend('wasm').map(({ kernelName }) => tf.getKernel(kernelName, 'wasm'));
    completeWasm(tf);
    const before = kernels();
    completeWasm(tf);
    expect(kernels()).toEqual(before);
    expect(new Set(kernels())).toEqual(new Set(before));
  });

  it.each([{}, undefined, 'tfjs'])('refuses %s, which is not tfjs', async (library) => {
    expect(await thrown(() => completeWasm(library as object))).toContain(
      "AdapterError (invalid_library): The library of completeWasm must be tfjs: import * as tf from '@tensorflow/tfjs'. Got",
    );
  });

  it('names the package when the wasm backend is not there', async () => {
    const without = { ...tf, findBackendFactory: () => null };
    expect(await thrown(() => completeWasm(without))).toMatchInlineSnapshot(
      `"MissingPackageError (missing_package): completeWasm needs the package '@tensorflow/tfjs-backend-wasm', which could not be loaded. Run: npm install @tensorflow/tfjs-backend-wasm, and import it first"`,
    );
  });
});
