import { MissingPackageError } from '../../../src/core/errors.js';
import type { Tf } from '../structures.js';
import { completeGradients } from './completeGradients.js';
import { installConv2d } from './conv2d.js';
import { installConv3d } from './conv3d.js';
import { installWasmEinsum } from './einsum.js';
import { installWasmGradient, installWasmKernel, tfjsOf } from './install.js';
import { resizeGradients } from './resizing.js';
import { installWasmPooling } from './windows.js';

const PACKAGE = '@tensorflow/tfjs-backend-wasm';

/**
 * Gives the wasm backend (4.22) the kernels that training needs and it lacks, and right ones for those that it has
 * wrong; then `model.fit` works on wasm, with or without cvkit. It completes the gradients, too
 * ({@link completeGradients}). May be called before or after `tf.setBackend('wasm')`,
 * and again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {AdapterError} when `library` is something else
 * @throws {MissingPackageError} when `@tensorflow/tfjs-backend-wasm` has not been imported
 * @example
 * import '@tensorflow/tfjs-backend-wasm';
 * completeWasm(tf);
 * await tf.setBackend('wasm');
 * const small = tf.sequential({ layers: [tf.layers.dense({ inputShape: [1], units: 1 })] });
 * small.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
 * await small.fit(tf.tensor2d([[1], [2]]), tf.tensor2d([[2], [4]]), { epochs: 2, verbose: 0 });
 * console.log(tf.getBackend(), small.countParams());
 */
export function completeWasm(library: object): void {
  const tf = tfjsOf(library, 'completeWasm');
  if (!tf.findBackendFactory('wasm')) {
    throw new MissingPackageError(PACKAGE, 'completeWasm', `npm install ${PACKAGE}, and import it first`);
  }
  completeGradients(tf);
  installConv2d(tf);
  installConv3d(tf);
  installWasmEinsum(tf);
  installWasmPooling(tf);
  // Its own ignore half-pixel centers.
  for (const gradient of resizeGradients(Math.fround)) installWasmGradient(tf, gradient);
  installSegmentSum(tf);
}

/** The gradient of gather, so of embeddings. Rows whose segment is not from 0 to `numSegments - 1` are left out. */
function installSegmentSum(tf: Tf): void {
  installWasmKernel(tf, 'UnsortedSegmentSum', (composer, { inputs: { x, segmentIds }, attrs }) => {
    const numSegments: number = attrs.numSegments;
    const shape = [numSegments, ...x.shape.slice(segmentIds.shape.length)];
    const sums = composer.zeros(shape, x.dtype);
    const [rows, ids, totals] = [composer.values(x), composer.values(segmentIds), composer.values(sums)];
    const size = tf.util.sizeFromShape(shape.slice(1));
    ids.forEach((segment, row) => {
      if (segment < 0 || segment >= numSegments) return;
      for (let at = 0; at < size; at++) totals[segment * size + at] += rows[row * size + at];
    });
    return sums;
  });
}
