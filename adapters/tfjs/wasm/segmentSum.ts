/** The sum of rows by segment, which the wasm backend (4.22) lacks: it is the gradient of gather, so of embeddings. */
import type { Tf } from '../structures.js';
import { installWasmKernel } from './compose.js';

/** Installs the kernel. Rows whose segment is not from 0 to `numSegments - 1` are left out. */
export function installSegmentSum(tf: Tf): void {
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
