/** Completes the wasm backend of tfjs, so that it trains what the others train, and the same. */
import { AdapterError, MissingPackageError, sentence } from '../../../src/core/errors.js';
import { completeGradients } from '../gradients/index.js';
import type { Tf } from '../structures.js';
import { installConv2dGradients } from './conv2dGradients.js';
import { installConv3d } from './conv3d.js';
import { installDepthwiseGradients } from './depthwise.js';
import { installEinsum } from './einsum.js';
import { installExplicitPadding } from './explicitPadding.js';
import { installPooling } from './pooling.js';
import { installResizing } from './resizing.js';
import { installSegmentSum } from './segmentSum.js';

const PACKAGE = '@tensorflow/tfjs-backend-wasm';

/**
 * Gives the wasm backend (4.22) the kernels that training needs and it lacks, and right ones for those that it has
 * wrong; then `model.fit` works on wasm, with or without cvkit. It gives tfjs the gradients that no backend has, too: of
 * dilated convolutions, einsum and transposed 3-D convolutions. May be called before or after `tf.setBackend('wasm')`,
 * and again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {@link AdapterError} when `library` is something else
 * @throws {@link MissingPackageError} when `@tensorflow/tfjs-backend-wasm` has not been imported
 */
export function completeWasm(library: object): void {
  const tf = library as Tf;
  if (typeof tf?.findBackendFactory !== 'function') {
    throw new AdapterError(
      sentence('The library of completeWasm', "be tfjs: import * as tf from '@tensorflow/tfjs'", library),
      { code: 'invalid_library' },
    );
  }
  if (!tf.findBackendFactory('wasm')) {
    throw new MissingPackageError(PACKAGE, 'completeWasm', `npm install ${PACKAGE}, and import it first`);
  }
  completeGradients(tf);
  installConv2dGradients(tf);
  installConv3d(tf);
  installDepthwiseGradients(tf);
  installEinsum(tf);
  installExplicitPadding(tf);
  installPooling(tf);
  installResizing(tf);
  installSegmentSum(tf);
}
