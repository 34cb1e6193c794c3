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

/**
 * Runs `make`; when it fails, the variables and tensors are disposed that came into being before it returned. What an
 * async `make` has made after its first `await` stays, since it cannot be told from what others made meanwhile.
 */
export async function freeingOnError<T>(tf: Tf, make: () => T | Promise<T>): Promise<T> {
  const made: Tensor[] = [];
  try {
    return await listening(tf.engine() as unknown as Engine, made, make);
  } catch (error) {
    tf.dispose(made);
    throw error;
  }
}

type Engine = { trackTensor(tensor: Tensor, backend: object): void };

/** Adds every tensor that `engine` makes to `made`, until `make` returns. */
function listening<T>(engine: Engine, made: Tensor[], make: () => T): T {
  const { trackTensor } = engine;
  engine.trackTensor = (tensor, backend) => {
    made.push(tensor);
    trackTensor.call(engine, tensor, backend);
  };
  try {
    return make();
  } finally {
    Reflect.deleteProperty(engine, 'trackTensor'); // its own method is the prototype's
  }
}
