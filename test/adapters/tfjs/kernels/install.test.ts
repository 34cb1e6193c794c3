import { describe, expect, it, vi } from 'vitest';
import { type Composer, installKernel, installWasmKernel } from '../../../../adapters/tfjs/kernels/install.js';
import { onBackend, tf } from '../../../helpers/tfjsModels.js';

it('installKernel registers where there is none, hands over the one that is there, keeps its set-up, and does it once', () => {
  const warn = vi.spyOn(console, 'warn');
  const setupFunc = () => undefined;
  const first = () => [];
  tf.registerKernel({ kernelName: 'Ours', backendName: 'none', kernelFunc: first, setupFunc });
  let given: unknown;
  const put = () =>
    installKernel(tf, 'Ours', 'none', (original) => {
      given = original;
      return () => [];
    });
  put();
  const kernel = tf.getKernel('Ours', 'none');
  expect(given).toBe(first);
  expect(kernel.setupFunc).toBe(setupFunc);
  put();
  expect(tf.getKernel('Ours', 'none')).toBe(kernel);
  installKernel(tf, 'New', 'none', (original) => {
    expect(original).toBeUndefined();
    return () => [];
  });
  expect(tf.getKernel('New', 'none')).toBeDefined();
  expect(warn).not.toHaveBeenCalled();
  for (const name of ['Ours', 'New']) tf.unregisterKernel(name, 'none');
});

interface Heap {
  readonly HEAPU8: Uint8Array;
}

/** Runs a kernel of the name given that is written as `work`; the number of data buffers it left, and its result. */
async function run(name: string, work: (composer: Composer, x: tf.TensorInfo) => tf.TensorInfo) {
  return onBackend('wasm', () => {
    installWasmKernel(tf, name, (composer, { inputs }) => work(composer, inputs.x));
    const x = tf.tensor1d([1, 2, 3, 4]);
    const before = tf.backend().numDataIds();
    let values: unknown;
    try {
      const y = tf.engine().runKernel(name, { x }) as tf.Tensor;
      values = y.arraySync();
      y.dispose();
    } catch (error) {
      values = (error as Error).message;
    }
    const left = tf.backend().numDataIds() - before;
    x.dispose();
    tf.unregisterKernel(name, 'wasm');
    return { values, left };
  });
}

describe('kernels made of others', () => {
  it('see inputs of another backend, also when the heap must grow to take them', async () => {
    const heap = await onBackend('wasm', () => (tf.backend() as never as { wasm: Heap }).wasm.HEAPU8.length);
    await tf.setBackend('cpu');
    const x = tf.ones([heap / 4]);
    await onBackend('wasm', () => {
      installWasmKernel(tf, 'TestMoved', (composer, { inputs }) => {
        const first = composer.zeros([1]);
        const [from, to] = [composer.values(inputs.x), composer.values(first)];
        to[0] = from[0] + from.length;
        return first;
      });
      const y = tf.engine().runKernel('TestMoved', { x }) as tf.Tensor;
      expect(y.arraySync()).toEqual([1 + heap / 4]);
      tf.unregisterKernel('TestMoved', 'wasm');
      tf.dispose([x, y]);
    });
  });

  it('release what a part made when the part is done', async () => {
    let ids = 0;
    expect(
      await run('TestParts', (composer, x) => {
        const sum = composer.zeros([4]);
        const before = tf.backend().numDataIds();
        for (let part = 0; part < 3; part++) {
          composer.within((inner) => {
            const doubled = inner.run('Add', { a: x, b: x });
            const [to, from] = [inner.values(sum), inner.values(doubled)];
            for (let at = 0; at < 4; at++) to[at] += from[at];
          });
        }
        ids = tf.backend().numDataIds() - before;
        return sum;
      }),
    ).toEqual({ values: [6, 12, 18, 24], left: 0 });
    expect(ids).toBe(0);
  });
});
