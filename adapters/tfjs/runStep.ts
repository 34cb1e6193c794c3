/** Runs one step and reads its numbers; every tensor made on the way is freed. */
import { tidied } from './kept.js';
import type { LayersModel, Tf } from './structures.js';
import type { StepLogs } from './trainStep.js';

/** Loss and metrics of a step as numbers. What the step makes is released; what a caller keeps in it stays theirs. */
export function runStep(tf: Tf, model: LayersModel, work: () => StepLogs): Record<string, number> {
  return tidied(tf, model, () => numbersOf(tf, work()));
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
