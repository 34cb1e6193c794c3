import { describe, expect, it } from 'vitest';
import { explained, guardWasmMemory } from '../../../adapters/tfjs/outOfMemory.js';
import { AdapterError, InvalidDataError } from '../../../src/core/errors.js';
import { onBackend, tf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const failing = (error: unknown) =>
  thrown(() =>
    explained(tf, () => {
      throw error;
    }),
  );
/** The error of compiled code that runs into `unreachable`: a module of one function without parameters, exported as f. */
function trapped(): Error {
  const bytes = [
    [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // magic number and version
    [1, 4, 1, 0x60, 0, 0], // types: () => nothing
    [3, 2, 1, 0], // functions: one of type 0
    [7, 5, 1, 1, 0x66, 0, 0], // exports: "f", function 0
    [10, 5, 1, 3, 0, 0, 0x0b], // code: no locals, unreachable, end
  ];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes.flat())));
  try {
    (exports.f as () => void)();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not trap.');
}
const plain = (text: string) => text.replace(/beside .* tensors/, 'beside <held>');

describe('explained', () => {
  it('passes on what is made', async () => {
    expect(await explained(tf, async () => 7)).toBe(7);
  });

  it('says how much was asked for, where the message tells', async () => {
    await onBackend('cpu', async () => {
      const real = await thrown(() => explained(tf, () => tf.zeros([2e7, 2e8])));
      expect(plain(real)).toMatch(/\(out_of_memory\): .*Got .*\b16000000\.0\b/);
      expect(real).toMatch(/beside [\d.]+ [MG]B in \d+ tensors/);
    });
  });

  it.each([
    new RangeError('Array buffer allocation failed'),
    new Error('OOM when allocating tensor with shape[100000,100000] and type float'),
    new Error('RESOURCE_EXHAUSTED: failed to allocate memory'),
    new Error('Cannot enlarge memory arrays to size 4294967296 bytes'),
    new Error('Requested texture size [20000x20000] greater than WebGL maximum on this browser / GPU [16384x16384].'),
    new AdapterError('The model factory must return a model. It threw: ...', {
      cause: new RangeError('Invalid typed array length: 10000000000'),
    }),
  ])('knows %s', async (error) => {
    expect(await failing(error)).toContain('AdapterError (out_of_memory)');
  });

  it.each([
    new RangeError('Invalid typed array length: -1'),
    new RangeError('Maximum call stack size exceeded'),
    new Error('Argument x must be a tensor'),
    new InvalidDataError('The allocation failed, says a message of ours'),
    'a text',
  ])('passes on everything else: %s', async (error) => {
    await expect(
      explained(tf, () => {
        throw error;
      }),
    ).rejects.toBe(error);
  });

  it.each(['cpu', 'wasm'])('passes on the trap of another library on %s, and goes on', async (backend) => {
    await onBackend(backend, async () => {
      const foreign = Object.assign(new Error('bad texture'), { name: 'RuntimeError' });
      const failing = () => {
        throw foreign;
      };
      await expect(explained(tf, failing)).rejects.toBe(foreign);
      expect(await explained(tf, () => 1)).toBe(1);
    });
  });

  it('passes on the trap of another wasm module where tfjs runs on cpu', async () => {
    await onBackend('cpu', async () => {
      const trap = trapped();
      const failing = () => {
        throw trap;
      };
      await expect(explained(tf, failing)).rejects.toBe(trap);
      expect(await explained(tf, () => 1)).toBe(1);
    });
  });

  it('trusts no wasm instance that computes nothing any more', async () => {
    const broken = {};
    const add = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    const other = { ...tf, add, backend: () => broken, getBackend: () => 'wasm' } as unknown as typeof tf;
    const aborting = () => {
      throw Object.assign(new Error('Aborted()'), { name: 'RuntimeError', stack: '' });
    };
    expect(await thrown(() => explained(other, aborting))).toContain('backend_lost');
  });

  it('trusts no wasm instance that broke down', async () => {
    const broken = {};
    const other = { ...tf, backend: () => broken, getBackend: () => 'wasm' } as unknown as typeof tf;
    const trap = trapped();
    const first = await thrown(() =>
      explained(other, () => {
        throw trap;
      }),
    );
    expect(first).toMatch(/\(backend_lost\): .*Got one that broke/);
    expect(await thrown(() => explained(other, () => 1))).toBe(first);
    expect(await explained(tf, () => 1)).toBe(1);
  });
});

describe('guardWasmMemory', () => {
  it('lets wasm go on after an allocation that failed', async () => {
    await onBackend('wasm', async () => {
      guardWasmMemory(tf);
      guardWasmMemory(tf);
      const before = tf.memory().numTensors;
      const watched = tf.tensor1d([1, 2, 3]);
      // 6.4e9 bytes: more than 32 bits hold, which tfjs would take for 2.1e9.
      const product = () => tf.tidy(() => tf.matMul(tf.ones([40_000, 1]), tf.ones([1, 40_000])));
      expect(plain(await thrown(() => explained(tf, product)))).toMatch(/\(out_of_memory\): .*Got .*\b6\.4\b/);
      expect(Array.from(watched.dataSync())).toEqual([1, 2, 3]);
      const small = tf.tidy(() => Array.from(tf.matMul(tf.ones([2, 3]), tf.ones([3, 2])).dataSync()));
      expect(small).toEqual([3, 3, 3, 3]);
      watched.dispose();
      expect(tf.memory().numTensors).toBe(before);
    });
  });

  it('throws where the heap of wasm is full', async () => {
    await onBackend('wasm', () => {
      const calls: number[] = [];
      const allocate = (bytes: number) => {
        calls.push(bytes);
        return bytes > 100 ? 0 : 64;
      };
      const wasm = { _malloc: allocate, _free: () => undefined };
      guardWasmMemory({ ...tf, backend: () => ({ wasm }) } as never);
      expect(wasm._malloc(8)).toBe(64);
      expect(() => wasm._malloc(400)).toThrow('allocation of 400 bytes failed');
      expect(() => wasm._malloc(2 ** 32)).toThrow('allocation of 4294967296 bytes failed');
      expect(calls).toEqual([8, 8, 400]);
    });
  });

  it('leaves other backends alone', () => onBackend('cpu', () => guardWasmMemory(tf)));
});
