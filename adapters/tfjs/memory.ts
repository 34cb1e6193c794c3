import { hasAsyncContext, workScope } from '#io';
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import { tensorsOf } from './optimizer.js';
import { type Layer, type LayersModel, layersWithin, override, type Tensor, type Tf } from './structures.js';

const CACHE = 'TOPOLOGICAL_SORT_CACHE_MAX_ENTRIES';

/** tfjs holds the layers of the last hundred models that ran, disposed or not. This makes it let go of them. */
export function forgetModels(tf: Tf): void {
  const entries = tf.env().getNumber(CACHE);
  tf.env().set(CACHE, 0);
  tf.env().set(CACHE, entries);
}

/** When `make` fails, what it has made is disposed: all with `wholly`, where the platform can tell, else until its first `await`. */
export async function freeingOnError<T>(
  tf: Tf,
  make: () => T | Promise<T>,
  { wholly = false }: { readonly wholly?: boolean } = {},
): Promise<T> {
  const created: Tensor[] = [];
  try {
    return await listening(tf.engine() as unknown as Engine, () => scope.run(created, make), wholly && hasAsyncContext);
  } catch (error) {
    tf.dispose(created);
    throw error;
  }
}

type Engine = { trackTensor(tensor: Tensor, backend: object): void };
const scope = workScope<Tensor[]>();
const listeners = new WeakMap<Engine, number>();

async function listening<T>(engine: Engine, work: () => T, untilDone: boolean): Promise<Awaited<T>> {
  const count = listeners.get(engine) ?? 0;
  listeners.set(engine, count + 1);
  const { trackTensor } = engine;
  if (count === 0) {
    engine.trackTensor = (tensor, backend) => {
      scope.get()?.push(tensor);
      trackTensor.call(engine, tensor, backend);
    };
  }
  let result: T;
  try {
    result = work();
    if (untilDone) await result;
  } finally {
    const count = (listeners.get(engine) as number) - 1;
    listeners.set(engine, count);
    if (count === 0) Reflect.deleteProperty(engine, 'trackTensor'); // its own method is the prototype's
  }
  return await result;
}

/** Runs `work` inside `tidy`, and frees what tfjs keeps: dropout masks of recurrent layers, and all but the optimizer's when `work` throws. */
export function tidied<T>(tf: Tf, model: LayersModel, work: () => T): T {
  const engine = tf.engine();
  const { keep } = engine;
  const kept: Tensor[] = [];
  const catching = (tensor: Tensor): Tensor => {
    kept.push(tensor);
    return keep.call(engine, tensor);
  };
  const restore = override([{ target: engine, properties: { keep: catching } }]);
  try {
    return tf.tidy(work as never) as T;
  } catch (error) {
    const held = new Set(tensorsOf(model.optimizer));
    tf.dispose(kept.filter((tensor) => !held.has(tensor)));
    throw error;
  } finally {
    restore();
    releaseMasks(tf, model);
  }
}

/**
 * The values of a tensor. WebGPU reads at once only through a canvas, which is slow and ends a software adapter; for the
 * others there is nothing to wait for.
 */
export const readValues = async (tf: Tf, tensor: Tensor): Promise<Float32Array> =>
  tf.getBackend() === 'webgpu' ? tensor.data<'float32'>() : tensor.dataSync<'float32'>();

interface Recurrent {
  readonly cell?: Cell;
  readonly forwardLayer?: Recurrent;
  readonly backwardLayer?: Recurrent;
}

type Masks = Partial<Record<'dropoutMask' | 'recurrentDropoutMask', Tensor | Tensor[] | null>>;
type Cell = Masks & { readonly cells?: readonly Cell[] };

/** A mask fits the batch that it was made for; only the LSTM, GRU and SimpleRNN layers themselves replace it. */
function releaseMasks(tf: Tf, model: Layer): void {
  for (const layer of layersWithin(model)) {
    const recurrent = layer as Recurrent;
    const cells = [recurrent, recurrent.forwardLayer, recurrent.backwardLayer].flatMap((each) => each?.cell ?? []);
    for (const cell of cells.flatMap((each) => [each, ...(each.cells ?? [])])) {
      for (const name of ['dropoutMask', 'recurrentDropoutMask'] as const) {
        if (!cell[name]) continue;
        tf.dispose(cell[name]);
        cell[name] = null;
      }
    }
  }
}

const ADDRESSABLE = 0xffff0000;

interface WasmBackend {
  readonly wasm?: { _malloc(bytes: number): number; _free(at: number): void };
}

const guarded = new WeakSet<object>();
const lost = new WeakSet<object>();

/** tfjs 4.22 takes the address 0 of a failed allocation for a good one, and sizes beyond 32 bits for small ones. */
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

export async function explained<T>(tf: Tf, work: () => T | Promise<T>): Promise<T> {
  // A wasm instance that trapped has broken memory: what it computes from then on would be garbage.
  if (lost.has(tf.backend())) throw backendLost(tf);
  try {
    return await work();
  } catch (error) {
    throw explain(tf, error);
  }
}

export const LAYERS_INSIDE =
  'Make every layer inside the factory: a layer used by two models is disposed with the first.';

function explain(tf: Tf, error: unknown): unknown {
  const cause = rootOf(error);
  if (cause instanceof CVKitError) return error;
  if (isTrap(cause) && tf.getBackend() === 'wasm' && (isOfWasm(cause) || !computes(tf))) {
    lost.add(tf.backend());
    return backendLost(tf, cause);
  }
  const message = messageOf(cause);
  if (/^Layer '.*' is already disposed/.test(message)) {
    return new AdapterError(`${message} ${LAYERS_INSIDE}`, { code: 'invalid_model', cause });
  }
  if (!MESSAGES.test(message)) return error;
  const { numBytes, numTensors } = tf.memory();
  const wanted = wantedBytes(message);
  const must = `fit into the memory of the ${tf.getBackend()} backend`;
  const allocation = `an allocation ${wanted ? `of ${size(wanted)} ` : ''}that failed`;
  const got = phrase(`${allocation} together with ${size(numBytes)} in ${numTensors} tensors`);
  const way = 'Use a smaller batchSize or smaller layers.';
  const text = sentence('The model and one batch of rows', must, got, way);
  return new AdapterError(text, { code: 'out_of_memory', cause });
}

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
