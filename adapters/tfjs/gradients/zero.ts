/**
 * Gradients of comparisons and logic, which are 0 wherever they exist. tfjs (4.22) has none, and then refuses to train
 * every layer before one that compares, as masking and thresholded ReLU do.
 */
import { installGradient } from '../kernels.js';
import type { Tf } from '../structures.js';

const INPUTS = {
  All: ['x'],
  Any: ['x'],
  Equal: ['a', 'b'],
  Greater: ['a', 'b'],
  Less: ['a', 'b'],
  LessEqual: ['a', 'b'],
  LogicalAnd: ['a', 'b'],
  LogicalNot: ['x'],
  LogicalOr: ['a', 'b'],
  NotEqual: ['a', 'b'],
};

/** Installs them. */
export function installZeroGradients(tf: Tf): void {
  for (const [name, inputs] of Object.entries(INPUTS)) {
    installGradient(
      tf,
      name,
      (original) =>
        original ?? {
          inputsToSave: inputs,
          gradFunc: (_, saved) =>
            Object.fromEntries(inputs.map((input, at) => [input, () => tf.zeros(saved[at].shape)])),
        },
    );
  }
}
