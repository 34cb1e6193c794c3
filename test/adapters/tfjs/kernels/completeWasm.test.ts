import * as wasmPackage from '@tensorflow/tfjs-backend-wasm';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completeWasm } from '../../../../adapters/tfjs/index.js';
import { completeWasm as same } from '../../../../adapters/tfjs/kernels/completeWasm.js';
import { withSeededRandom } from '../../../../src/core/seededRandom.js';
import {
  expectCentralDifferences,
  expectClose,
  expectWasmEqualsCpu,
  type KernelCase,
  wave,
} from '../../../helpers/kernels.js';
import { itOn, onBackend, stack, tf } from '../../../helpers/tfjsModels.js';

const model = () => {
  const { layers } = tf;
  return stack(
    layers.conv2d({ inputShape: [8, 8, 1], filters: 2, kernelSize: 3, activation: 'relu' }),
    layers.separableConv2d({ filters: 3, kernelSize: 2 }),
    layers.maxPooling2d({ poolSize: 2 }),
    layers.flatten(),
    layers.dense({ units: 1, activation: 'sigmoid' }),
  );
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
});

const gather = (shape: number[], indices: number[], axis: number): KernelCase => ({
  name: JSON.stringify({ shape, indices, axis }),
  shapes: [shape],
  compute: (x) => tf.gather(x, tf.tensor1d(indices, 'int32'), axis),
});

const size = fc.integer({ min: 1, max: 5 });
const anyCase = fc
  .record({
    shape: fc.tuple(size, size, size),
    axis: fc.integer({ min: 0, max: 2 }),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 9 }),
  })
  .map(({ shape, axis, picks }) => {
    const indices = picks.map((pick) => pick % shape[axis]);
    return gather(shape, indices, axis);
  });

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

  itOn('wasm', 'trains embeddings', async () => {
    const model = tf.sequential();
    model.add(tf.layers.embedding({ inputDim: 4, outputDim: 2, inputLength: 3 }));
    model.add(tf.layers.flatten());
    model.add(tf.layers.dense({ units: 1 }));
    model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
    const [x, y] = [tf.tensor2d([0, 1, 1, 2, 0, 2], [2, 3], 'int32'), tf.tensor2d([[1], [0]])];
    const before = Array.from(model.getWeights()[0].dataSync());
    await model.fit(x, y, { epochs: 1, verbose: 0 });
    const after = Array.from(model.getWeights()[0].dataSync());
    // word 3 does not occur, so only its vector stays
    expect(after.map((value, at) => value === before[at])).toEqual([...new Array(6).fill(false), true, true]);
    tf.dispose([x, y]);
    model.dispose();
  });
});

const anyConvolution = fc.record({
  size: fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 })),
  kernel: fc.integer({ min: 1, max: 3 }),
  strides: fc.integer({ min: 1, max: 5 }),
  dilations: fc.integer({ min: 1, max: 2 }),
  pad: fc.constantFrom('same' as const, 'valid' as const),
});

type Case = typeof anyConvolution extends fc.Arbitrary<infer T> ? T : never;

/** All four kernels; kernels need an extent of 3 * 2 at most, so 'valid' ones that do not fit are left out. */
const CASES = fc
  .sample(anyConvolution, { numRuns: 120, seed: 4 })
  .filter(({ strides, dilations }) => strides === 1 || dilations === 1)
  .filter(({ size, kernel, dilations, pad }) => pad === 'same' || Math.min(...size) > (kernel - 1) * dilations);

function outputs({ size, kernel, strides, dilations, pad }: Case): number[][] {
  return tf.tidy(() => {
    const x = wave([2, ...size, 3]) as tf.Tensor4D;
    const [dense, depth] = [wave([kernel, kernel, 3, 4], 0.7), wave([kernel, kernel, 3, 2], 0.9)] as tf.Tensor4D[];
    const common = { x, strides, pad, dilations, activation: 'relu' as const };
    return [
      tf.conv2d(x, dense, strides, pad, 'NHWC', dilations),
      tf.fused.conv2d({ ...common, filter: dense, bias: wave([4], 0.3) }),
      tf.depthwiseConv2d(x, depth, strides, pad, 'NHWC', dilations),
      tf.fused.depthwiseConv2d({ ...common, filter: depth, bias: wave([6], 0.3) }),
    ].map((y) => Array.from(y.dataSync()));
  });
}

describe('2-D convolutions on wasm', () => {
  it("equal the cpu backend, also with padding 'same' and strides larger than the filter", async () => {
    const cpu = await onBackend('cpu', () => CASES.map(outputs));
    const wasm = await onBackend('wasm', () => CASES.map(outputs));
    expect(CASES.filter(({ kernel, strides, pad }) => pad === 'same' && strides > kernel).length).toBeGreaterThan(10);
    CASES.forEach((each, at) => {
      cpu[at].forEach((expected, kernel) => {
        expectClose(expected, wasm[at][kernel], `${kernel} ${JSON.stringify(each)}`);
      });
    });
  });
});
