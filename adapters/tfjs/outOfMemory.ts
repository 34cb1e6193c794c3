/** Tells running out of memory from other failures, in words, and keeps the wasm backend alive when it happens. */
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import type { Tf } from './structures.js';

/** Memory that WebAssembly can address with 32 bits, in bytes. */
const ADDRESSABLE = 0xffff0000;

interface WasmBackend {
  readonly wasm?: { _malloc(bytes: number): number; _free(at: number): void };
}

const guarded = new WeakSet<object>();
const lost = new WeakSet<object>();

/**
 * Makes the wasm backend throw when it has no memory left. tfjs 4.22 takes the address 0 of a failed allocation for a
 * good one, and sizes beyond 32 bits for small ones, and writes over its own memory.
 */
export function guardWasmMemory(tf: Tf): void {
  const { wasm } = tf.backend() as unknown as WasmBackend;
  if (!wasm || guarded.has(wasm)) return;
  guarded.add(wasm);
  wasm._free(wasm._malloc(8)); // emscripten replaces `_malloc` by the real one at its first call
  const { _malloc: allocate } = wasm;
  wasm._malloc = (bytes) => {
    const at = bytes > ADDRESSABLE ? 0 : allocate(bytes);
    if (at === 0) throw new RangeError(`Out of memory: allocation of ${bytes} bytes failed`);
    return at;
  };
}

/** Runs `work`; running out of memory becomes an {@link AdapterError} with the code `out_of_memory`. */
export async function explained<T>(tf: Tf, work: () => T | Promise<T>): Promise<T> {
  refuseLost(tf);
  try {
    return await work();
  } catch (error) {
    throw explain(tf, error);
  }
}

/** A wasm instance that trapped has broken memory: what it computes from then on would be garbage. */
function refuseLost(tf: Tf): void {
  if (lost.has(tf.backend())) throw backendLost(tf);
}

function explain(tf: Tf, error: unknown): unknown {
  const cause = rootOf(error);
  if (cause instanceof CVKitError) return error;
  if (isTrap(cause) && tf.getBackend() === 'wasm' && (isOfWasm(cause) || !computes(tf))) {
    lost.add(tf.backend());
    return backendLost(tf, cause);
  }
  if (!isOutOfMemory(cause)) return error;
  const { numBytes, numTensors } = tf.memory();
  const wanted = wantedBytes(messageOf(cause));
  return new AdapterError(
    sentence(
      'The model and one batch of rows',
      `fit into the memory of the ${tf.getBackend()} backend`,
      phrase(
        `an allocation ${wanted ? `of ${size(wanted)} ` : ''}that failed together with ${size(numBytes)} in ${numTensors} tensors`,
      ),
      'Use a smaller batchSize or smaller layers.',
    ),
    { code: 'out_of_memory', cause },
  );
}

/** What a factory throws comes wrapped. */
function rootOf(error: unknown): unknown {
  return error instanceof CVKitError && error.cause !== undefined ? rootOf(error.cause) : error;
}

// WebAssembly is missing from the library of ES2023, and its errors may be of another realm.
const isTrap = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'RuntimeError' && !/cannot enlarge memory/i.test(error.message);

/** Thrown by compiled code or by its loader. Others use the name of the error, too. */
const isOfWasm = ({ stack = '' }: Error) => /wasm:\/\/|wasm-function|tfjs-backend-wasm/.test(stack);

function computes(tf: Tf): boolean {
  try {
    return tf.tidy(() => tf.add([1, 2], [3, 4]).dataSync()).join() === '4,6';
  } catch {
    return false;
  }
}

const MESSAGES =
  /allocation (of \d+ bytes )?failed|invalid (typed )?array length: \d{9}|cannot enlarge memory|out of memory|\bOOM\b|resource_?exhausted|failed to allocate|unable to create webgltexture|greater than webgl maximum/i;

const isOutOfMemory = (error: unknown) => MESSAGES.test(messageOf(error));

/** Bytes that were asked for, where the message tells: typed arrays of tensors hold 4 per number. */
function wantedBytes(message: string): number | undefined {
  const [, bytes] = /allocation of (\d+) bytes/.exec(message) ?? [];
  const [, numbers] = /array length: (\d+)/i.exec(message) ?? [];
  return bytes ? Number(bytes) : numbers ? Number(numbers) * 4 : undefined;
}

const size = (bytes: number) => (bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`);

function backendLost(tf: Tf, cause?: unknown): AdapterError {
  return new AdapterError(
    `The ${tf.getBackend()} backend must be intact. Got one that broke down, so that nothing it computes can be trusted. ` +
      'Start a new process with smaller models, or use another backend.',
    { code: 'backend_lost', ...(cause === undefined ? {} : { cause }) },
  );
}
