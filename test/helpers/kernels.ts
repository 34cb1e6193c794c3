/** Compares kernels and gradients of tfjs backends with each other and with central differences. */
import { describe, expect, it } from 'vitest';
import { gap, onBackend, tf } from './tfjsModels.js';

export interface KernelCase {
  readonly name: string;
  /** Shapes of the inputs of `compute`. */
  readonly shapes: readonly number[][];
  readonly compute: (...inputs: tf.Tensor[]) => tf.Tensor;
  /** Added to inputs from -1 to 1. */
  readonly offset?: number;
}

/** A case whose shapes are written as text: '2 8 9 2'. */
export const kernelCase = <T extends tf.Tensor>(
  name: string,
  shapes: readonly string[],
  compute: (...inputs: T[]) => tf.Tensor,
): KernelCase => ({
  name,
  shapes: shapes.map((shape) => shape.split(' ').map(Number)),
  compute: compute as KernelCase['compute'],
});

const SIZES: Record<string, number> = { a: 2, b: 3, c: 4, d: 2, e: 3, h: 2, i: 3, j: 4, k: 2, l: 2 };

/** An einsum whose axes have sizes by their letter. */
export const einsumCase = (equation: string): KernelCase => ({
  name: equation,
  shapes: equation
    .split('->')[0]
    .split(',')
    .map((axes) => [...axes].map((axis) => SIZES[axis])),
  compute: (...inputs) => tf.einsum(equation, ...inputs),
});

interface Differentiated {
  readonly output: number[];
  readonly gradients: number[][];
}

/** A tensor of numbers from -1 to 1 without ties or order. */
export const wave = (shape: readonly number[], step = 1.3, offset = 0): tf.Tensor =>
  tf.tidy(() =>
    tf
      .sin(tf.range(0, tf.util.sizeFromShape([...shape])).mul(step))
      .add(offset)
      .reshape([...shape]),
  );

const inputsOf = ({ shapes, offset }: KernelCase) => shapes.map((shape, at) => wave(shape, 1.3 - at / 7, offset));
const loss = (y: tf.Tensor) => y.mul(wave(y.shape, 0.37)).sum();

/** The output of a case, and the gradients of a weighted sum of it, on the running backend; nothing may be left over. */
export function differentiate(each: KernelCase): Differentiated {
  const before = { tensors: tf.memory().numTensors, data: tf.backend().numDataIds() };
  const result = tf.tidy(() => {
    const inputs = inputsOf(each);
    const output = Array.from(each.compute(...inputs).dataSync());
    const gradients = tf.grads((...given) => loss(each.compute(...given)))(inputs);
    return { output, gradients: gradients.map((gradient) => Array.from(gradient.dataSync())) };
  });
  expect({ tensors: tf.memory().numTensors, data: tf.backend().numDataIds() }, each.name).toEqual(before);
  return result;
}

/** Expects outputs and gradients on wasm to be those on cpu, to 1e-4 of the largest number. */
export async function expectWasmEqualsCpu(cases: readonly KernelCase[]): Promise<void> {
  const cpu = await onBackend('cpu', () => cases.map(differentiate));
  const wasm = await onBackend('wasm', () => cases.map(differentiate));
  cases.forEach(({ name }, at) => {
    expectClose(cpu[at].output, wasm[at].output, `${name}: output`);
    cpu[at].gradients.forEach((gradient, input) => {
      expectClose(gradient, wasm[at].gradients[input], `${name}: gradient ${input}`);
    });
  });
}

/**
 * Expects the gradients on `backend` to be central differences of its output, along one direction per input, to 1e-3.
 * `step` is as far as the case is linear.
 */
export async function expectCentralDifferences(
  backend: string,
  cases: readonly KernelCase[],
  step = 0.25,
): Promise<void> {
  await onBackend(backend, () => {
    for (const each of cases) {
      const { gradients } = differentiate(each);
      gradients.forEach((gradient, input) => {
        const numeric = tf.tidy(() => {
          const inputs = inputsOf(each);
          const direction = wave(each.shapes[input], 0.53);
          const at = (by: number) =>
            loss(each.compute(...inputs.with(input, inputs[input].add(direction.mul(by))))).dataSync()[0];
          return (at(step) - at(-step)) / (2 * step);
        });
        const along = tf.tidy(() => Array.from(wave(each.shapes[input], 0.53).dataSync()));
        const analytic = gradient.reduce((sum, value, place) => sum + value * along[place], 0);
        const scale = Math.max(1, Math.abs(numeric), ...gradient.map(Math.abs));
        expect(Math.abs(analytic - numeric) / scale, `${each.name}: gradient ${input}`).toBeLessThan(1e-3);
      });
    }
  });
}

/** The gradients of cases on wasm and on cpu. */
export function testGradients(title: string, cases: readonly KernelCase[], backends = ['wasm', 'cpu']): void {
  describe(title, () => {
    it('are the same on wasm and cpu, and leak nothing', () => expectWasmEqualsCpu(cases));
    it.each(backends)('equal central differences on %s', (backend) => expectCentralDifferences(backend, cases));
  });
}

export function expectClose(expected: ArrayLike<number>, actual: ArrayLike<number>, name: string): void {
  const scale = Math.max(1e-3, ...Array.from(expected, Math.abs));
  expect(gap(expected, actual) / scale, name).toBeLessThan(1e-4);
}
