/** Completes the gradients of tfjs, which belong to every backend. */
import type { Tf } from '../structures.js';
import { installDilatedGradients } from './dilated.js';
import { installEinsumGradient } from './einsum.js';
import { installTransposedGradient } from './transposed3d.js';
import { installZeroGradients } from './zero.js';

/**
 * Gives tfjs (4.22) gradients that it refuses: of dilated convolutions, einsum, transposed 3-D convolutions and comparisons.
 * What it can differentiate itself stays as it is. May be called again.
 *
 * @param tf the library: `import * as tf from '@tensorflow/tfjs'`
 */
export function completeGradients(tf: Tf): void {
  installDilatedGradients(tf);
  installEinsumGradient(tf);
  installTransposedGradient(tf);
  installZeroGradients(tf);
}
