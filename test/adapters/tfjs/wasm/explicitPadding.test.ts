import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectClose, wave } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

const anyCase = fc.record({
  size: fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 })),
  kernel: fc.integer({ min: 1, max: 3 }),
  strides: fc.integer({ min: 1, max: 5 }),
  dilations: fc.integer({ min: 1, max: 2 }),
  pad: fc.constantFrom('same' as const, 'valid' as const),
});

type Case = typeof anyCase extends fc.Arbitrary<infer T> ? T : never;

/** All four kernels; kernels need an extent of 3 * 2 at most, so 'valid' ones that do not fit are left out. */
const CASES = fc
  .sample(anyCase, { numRuns: 120, seed: 4 })
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
