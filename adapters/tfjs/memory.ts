/** What tfjs holds, and what a factory that failed has left behind. */
import { hasAsyncContext, workScope } from '#io';
import type { HeldMemory } from '../../src/runner/frameworkAdapter.js';
import type { Tensor, Tf } from './structures.js';

/** Tensors and bytes that the library holds now, on all its backends. */
export function heldMemory(tf: Tf): HeldMemory {
  const { numTensors, numBytes } = tf.memory();
  return { tensors: numTensors, bytes: numBytes };
}

const CACHE = 'TOPOLOGICAL_SORT_CACHE_MAX_ENTRIES';

/** tfjs holds the layers of the last hundred models that ran, disposed or not. This makes it let go of them. */
export function forgetModels(tf: Tf): void {
  const entries = tf.env().getNumber(CACHE);
  tf.env().set(CACHE, 0);
  tf.env().set(CACHE, entries);
}

/**
 * Runs `make`; when it fails, the variables and tensors are disposed that it has made: `wholly`, all of them, where the
 * platform tells pieces of work apart; else those that came into being before it returned. What an async factory of the caller
 * has made after its first `await` stays, since others may hold it.
 */
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
/** How many pieces of work an engine is listened to for. */
const listeners = new WeakMap<Engine, number>();

/** Does `work`; until it returns, or is done, every tensor that `engine` makes is told to the list of its scope. */
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
    const left = (listeners.get(engine) as number) - 1;
    listeners.set(engine, left);
    if (left === 0) Reflect.deleteProperty(engine, 'trackTensor'); // its own method is the prototype's
  }
  return await result;
}
