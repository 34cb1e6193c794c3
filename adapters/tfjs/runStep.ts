/** Runs one step and reads its numbers; every tensor made on the way is freed. */
import { tensorsOf } from './optimizer.js';
import type { Optimizer, Tensor, Tf } from './structures.js';
import type { StepLogs } from './trainStep.js';

/** Loss and metrics of a step as numbers. Everything else is released, also when the step throws. */
export function runStep(tf: Tf, optimizer: Optimizer | undefined, work: () => StepLogs): Record<string, number> {
  // A step keeps metrics and what gradients need out of the reach of `tidy`; tfjs forgets them when it throws.
  const engine = tf.engine();
  const { keep } = engine;
  const kept: Tensor[] = [];
  engine.keep = <T extends Tensor>(tensor: T): T => {
    kept.push(tensor);
    return keep.call(engine, tensor) as T;
  };
  try {
    return tf.tidy(() => numbersOf(tf, work()));
  } finally {
    engine.keep = keep;
    // An optimizer keeps its learning rate, which a step may change.
    const held = new Set(tensorsOf(optimizer));
    tf.dispose(kept.filter((tensor) => !held.has(tensor)));
  }
}

/** One read for all: each one waits for the device. */
function numbersOf(tf: Tf, logs: StepLogs): Record<string, number> {
  const tensors = Object.values(logs);
  if (tensors.length === 0) return {};
  const [first] = tensors;
  const all =
    tensors.length === 1 ? first : tf.stack(tensors.map((tensor) => tf.cast(tf.reshape(tensor, []), 'float32')));
  const values = all.dataSync();
  return Object.fromEntries(Object.keys(logs).map((name, at) => [name, values[at]]));
}
