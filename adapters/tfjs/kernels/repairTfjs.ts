import { completeGradients } from './completeGradients.js';
import { completeWasm } from './completeWasm.js';
import { correctCpu } from './correctCpu.js';
import { tfjsOf } from './install.js';

/**
 * Repairs tfjs once: the gradients of all backends ({@link completeGradients}), and the kernels of the cpu and wasm
 * backends ({@link correctCpu}, {@link completeWasm}) as far as they have been imported. Then `model.fit` and `tf.grad`
 * give right gradients, with or without cvkit. May be called before or after `tf.setBackend`, and again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {AdapterError} when `library` is something else
 */
export function repairTfjs(library: object): void {
  const tf = tfjsOf(library, 'repairTfjs');
  completeGradients(tf);
  if (tf.findBackendFactory('cpu')) correctCpu(tf);
  if (tf.findBackendFactory('wasm')) completeWasm(tf);
}
