/** Completes the wasm backend of tfjs, so that it trains what the others train, and the same. */
import { MissingPackageError } from '../../../src/core/errors.js';
import type { Tf } from '../structures.js';
import { completeGradients } from './completeGradients.js';
import { installWasmEinsum } from './einsum.js';
import { tfjsOf } from './install.js';
import { installWasmPooling } from './pooling.js';
import { installWasmResizing } from './resizing.js';
import { installWasmKernel } from './wasm/compose.js';
import { installConv2dGradients } from './wasm/conv2dGradients.js';
import { installConv3d } from './wasm/conv3d.js';
import { installDepthwiseGradients } from './wasm/depthwise.js';

const PACKAGE = '@tensorflow/tfjs-backend-wasm';

/**
 * Gives the wasm backend (4.22) the kernels that training needs and it lacks, and right ones for those that it has
 * wrong; then `model.fit` works on wasm, with or without cvkit. It completes the gradients, too
 * ({@link completeGradients}). May be called before or after `tf.setBackend('wasm')`,
 * and again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {@link AdapterError} when `library` is something else
 * @throws {@link MissingPackageError} when `@tensorflow/tfjs-backend-wasm` has not been imported
 */
export function completeWasm(library: object): void {
  const tf = tfjsOf(library, 'completeWasm');
  if (!tf.findBackendFactory('wasm')) {
    throw new MissingPackageError(PACKAGE, 'completeWasm', `npm install ${PACKAGE}, and import it first`);
  }
  completeGradients(tf);
  installConv2dGradients(tf);
  installConv3d(tf);
  installDepthwiseGradients(tf);
  installWasmEinsum(tf);
  installExplicitPadding(tf);
  installWasmPooling(tf);
  installWasmResizing(tf);
  installSegmentSum(tf);
}

/**
 * The sum of rows by segment, which is the gradient of gather, so of embeddings. Rows whose segment is not from 0 to
 * `numSegments - 1` are left out.
 */
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

const CONVOLUTIONS = [
  { name: 'Conv2D', depthwise: false },
  { name: 'FusedConv2D', depthwise: false },
  { name: 'DepthwiseConv2dNative', depthwise: true },
  { name: 'FusedDepthwiseConv2D', depthwise: true },
];

/**
 * Makes 2-D convolutions with padding 'same' pad explicitly: the wasm backend pads 'same' itself and misplaces the windows
 * where strides are larger than the filter.
 */
function installExplicitPadding(tf: Tf): void {
  for (const { name, depthwise } of CONVOLUTIONS) {
    installWasmKernel(tf, name, (_, { inputs, attrs, original }) => {
      const [x, filter] = [inputs.x.shape, inputs.filter.shape] as [number, number, number, number][];
      const { strides, dilations, pad, dimRoundingMode } = attrs;
      if (pad !== 'same') return original();
      const { padInfo } = tf.backend_util.computeConv2DInfo(
        x,
        filter,
        strides,
        dilations ?? 1,
        pad,
        dimRoundingMode,
        depthwise,
      );
      const { top, bottom, left, right } = padInfo;
      return original({
        pad: [
          [0, 0],
          [top, bottom],
          [left, right],
          [0, 0],
        ],
      });
    });
  }
}
