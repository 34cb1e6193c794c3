import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectCentralDifferences, expectWasmEqualsCpu, type KernelCase } from '../../../helpers/kernels.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

interface Parts {
  readonly kind: 'max' | 'avg';
  readonly dimensions: number;
  readonly pool: number;
  readonly strides: number;
  readonly pad: 'same' | 'valid';
  /** Below -1 every maximum is negative. */
  readonly offset: number;
}

function pooling(parts: Parts): KernelCase {
  const { kind, dimensions, pool, strides, pad, offset } = parts;
  const compute = (x: tf.Tensor): tf.Tensor => {
    if (dimensions === 3) return tf[`${kind}Pool3d`](x as tf.Tensor5D, pool, strides, pad);
    return tf[`${kind}Pool`](x as tf.Tensor4D, pool, strides, pad);
  };
  const shape = dimensions === 3 ? [2, 5, 4, 6, 3] : [2, 7, 8, 3];
  return { name: JSON.stringify(parts), shapes: [shape], compute, offset };
}

const GRID: KernelCase[] = [];
for (const kind of ['max', 'avg'] as const) {
  for (const dimensions of [2, 3]) {
    for (const pool of [1, 2, 3]) {
      for (const strides of [1, 2, 3]) {
        for (const pad of ['same', 'valid'] as const) {
          // there the cpu backend misplaces 3-D windows
          if (dimensions === 3 && pad === 'same' && strides > pool) continue;
          for (const offset of [-2, 0]) GRID.push(pooling({ kind, dimensions, pool, strides, pad, offset }));
        }
      }
    }
  }
}

const anyPooling = fc.record({
  kind: fc.constantFrom('max' as const, 'avg' as const),
  dimensions: fc.constantFrom(2, 3),
  pool: fc.integer({ min: 2, max: 3 }),
  strides: fc.integer({ min: 1, max: 2 }),
  pad: fc.constantFrom('same' as const, 'valid' as const),
  offset: fc.constant(0),
});

/** As they are, on negative numbers that are all at least 0.8 apart, so that every maximum stays where it is. */
const SPREAD = fc.sample(anyPooling, { numRuns: 30, seed: 4 }).map((parts): KernelCase => {
  const { name, compute } = pooling(parts);
  const shape = parts.dimensions === 3 ? [1, 3, 4, 3, 2] : [2, 4, 5, 2];
  const size = tf.util.sizeFromShape(shape);
  const apart = Array.from({ length: size }, (_, at) => ((at * 31) % size) - size); // 31 is prime
  return { name, shapes: [shape], compute: (x) => compute(x.div(10).add(tf.tensor(apart, shape))) };
});

describe('pooling on wasm', () => {
  it(`equals the cpu backend in ${GRID.length} cases and leaks nothing`, async () => {
    await expectWasmEqualsCpu(GRID);
  });

  it.each(['wasm', 'cpu'])('has on %s the gradients that central differences give', async (backend) => {
    await expectCentralDifferences(backend, SPREAD);
  });

  it('gives the gradient of a window of negative numbers to its maximum, of equal numbers to the first, and keeps NaN', async () => {
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const x = tf.tensor4d([-3, -1, -2, -4, -5, -5, -5, -5], [2, 2, 2, 1]);
        const gradient = tf.grad((t) => tf.maxPool(t as tf.Tensor4D, 2, 2, 'valid').sum())(x);
        expect(Array.from(gradient.dataSync())).toEqual([0, 1, 0, 0, 1, 0, 0, 0]);
        const missing = tf.tensor5d([0, Number.NaN, 2], [1, 1, 1, 3, 1]);
        const pooled = tf.maxPool3d(missing, [1, 1, 2], [1, 1, 1], 'same');
        expect(Array.from(pooled.dataSync())).toEqual([Number.NaN, Number.NaN, 2]);
      }),
    );
  });

  it("puts 3-D 'same' windows that leap over the end where they are in Keras: the first one at the first pixel", async () => {
    // size 6, pool 1, stride 4: output size 2, (2 - 1) * 4 + 1 = 5 <= 6, so nothing is padded: pixels 0 and 4
    await onBackend('wasm', () =>
      tf.tidy(() => {
        const x = tf.range(1, 7).reshape([1, 1, 1, 6, 1]) as tf.Tensor5D;
        expect(Array.from(tf.maxPool3d(x, 1, [1, 1, 4], 'same').dataSync())).toEqual([1, 5]);
        expect(Array.from(tf.avgPool3d(x, 1, [1, 1, 4], 'same').dataSync())).toEqual([1, 5]);
      }),
    );
  });
});
