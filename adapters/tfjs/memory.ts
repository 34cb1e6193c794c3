/** What tfjs holds, and what a factory that failed has left behind. */
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

// Counted per engine: what is made while two runs are open may belong to either.
const sessions = new WeakMap<object, number>();

/** Counts a session that begins; the function it gives takes it off again. */
export function countSession(tf: Tf): () => void {
  const engine = tf.engine();
  const add = (change: number) => sessions.set(engine, (sessions.get(engine) ?? 0) + change);
  add(1);
  let open = true;
  return () => {
    if (open) add(-1);
    open = false;
  };
}

type Engine = { trackTensor(tensor: Tensor, backend: object): void };

/** Who is told of the tensors that an engine makes. */
const listeners = new WeakMap<object, Set<Tensor[]>>();

/** Runs `make`; when it throws, every variable and tensor that came into being meanwhile is disposed. */
export async function freeingOnError<T>(tf: Tf, make: () => T | Promise<T>): Promise<T> {
  const engine = tf.engine();
  const made: Tensor[] = [];
  const stop = listen(engine as unknown as Engine, made);
  try {
    return await make();
  } catch (error) {
    if (sessions.get(engine) === 1) tf.dispose(made);
    throw error;
  } finally {
    stop();
  }
}

/** Adds every tensor that `engine` makes to `made`, until told to stop. Factories of two runs may overlap. */
function listen(engine: Engine, made: Tensor[]): () => void {
  const all = listeners.get(engine) ?? new Set();
  listeners.set(engine, all);
  const { trackTensor } = engine;
  if (all.size === 0) {
    engine.trackTensor = (tensor, backend) => {
      for (const each of all) each.push(tensor);
      trackTensor.call(engine, tensor, backend);
    };
  }
  all.add(made);
  return () => {
    all.delete(made);
    // Its own method is the prototype's.
    if (all.size === 0) Reflect.deleteProperty(engine, 'trackTensor');
  };
}
