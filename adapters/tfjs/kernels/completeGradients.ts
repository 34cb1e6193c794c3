import type { GradConfig, Tensor } from '@tensorflow/tfjs';
import type { Tf } from '../structures.js';
import { installEinsumGradient } from './einsum.js';
import { installGradient, tfjsOf } from './install.js';

/**
 * Gives tfjs (4.22) gradients that it refuses: of dilated convolutions, einsum, transposed 3-D convolutions and comparisons.
 * What it can differentiate itself stays as it is. May be called again.
 *
 * @param library tfjs: `import * as tf from '@tensorflow/tfjs'`
 * @throws {AdapterError} when `library` is something else
 */
export function completeGradients(library: object): void {
  const tf = tfjsOf(library, 'completeGradients');
  installDilatedGradients(tf);
  installEinsumGradient(tf);
  installTransposedGradient(tf);
  installZeroGradients(tf);
}

/** A dilated convolution is a plain one whose filter has zeros between its taps. */
function installDilatedGradients(tf: Tf): void {
  for (const name of ['Conv2D', 'DepthwiseConv2dNative', 'Conv3D']) {
    const dimensions = name === 'Conv3D' ? 3 : 2;
    installGradient(tf, name, (original) => {
      const { gradFunc, ...rest } = original as GradConfig;
      return {
        ...rest,
        gradFunc(dy, saved, attrs) {
          const dilations = [attrs.dilations ?? 1].flat() as number[];
          if (dilations.every((dilation) => dilation === 1)) return gradFunc(dy, saved, attrs);
          const spacing = Array.from({ length: dimensions }, (_, axis) => dilations[axis] ?? dilations[0]);
          const [x, filter] = saved;
          const plain = gradFunc(dy as Tensor, [x, spread(tf, filter, spacing)], { ...attrs, dilations: 1 });
          return { x: plain.x, filter: () => gathered(tf, plain.filter(), spacing) };
        },
      };
    });
  }
}

function spread(tf: Tf, filter: Tensor, spacing: readonly number[]): Tensor {
  return spacing.reduce((tensor, step, axis) => {
    const { shape } = tensor;
    const outer = tf.util.sizeFromShape(shape.slice(0, axis));
    const inner = tf.util.sizeFromShape(shape.slice(axis + 1));
    const padded = tf.pad(tf.reshape(tensor, [outer, shape[axis], inner]), [
      [0, 0],
      [0, 0],
      [0, inner * (step - 1)],
    ]);
    const size = (shape[axis] - 1) * step + 1; // none after the last tap
    const cut = tf.slice(tf.reshape(padded, [outer, shape[axis] * step, inner]), [0, 0, 0], [outer, size, inner]);
    return tf.reshape(cut, shape.with(axis, size));
  }, filter);
}

function gathered(tf: Tf, gradient: Tensor, spacing: readonly number[]): Tensor {
  const strides = gradient.shape.map((_, axis) => spacing[axis] ?? 1);
  return tf.stridedSlice(gradient, new Array(gradient.rank).fill(0), gradient.shape, strides);
}

/** Transposed convolution is the gradient of convolution by its input, linear in both of its inputs. */
function installTransposedGradient(tf: Tf): void {
  installGradient(tf, 'Conv3DBackpropInputV2', () => ({
    inputsToSave: ['dy', 'filter'],
    gradFunc(ddx, saved, { strides, pad }) {
      const [x, [dy, filter]] = [ddx as Tensor, saved];
      const filterShape = filter.shape;
      return {
        dy: () => tf.engine().runKernel('Conv3D', { x, filter }, { strides, pad, dilations: 1, dataFormat: 'NDHWC' }),
        filter: () => tf.engine().runKernel('Conv3DBackpropFilterV2', { x, dy }, { strides, pad, filterShape }),
      };
    },
  }));
}

const OF_ONE = ['All', 'Any', 'LogicalNot'];
const OF_TWO = ['Equal', 'Greater', 'Less', 'LessEqual', 'LogicalAnd', 'LogicalOr', 'NotEqual'];

/** tfjs refuses to train a layer before one that compares, as masking and thresholded ReLU do. */
function installZeroGradients(tf: Tf): void {
  for (const name of [...OF_ONE, ...OF_TWO]) {
    const inputs = OF_ONE.includes(name) ? ['x'] : ['a', 'b'];
    const gradFunc: GradConfig['gradFunc'] = (_, saved) =>
      Object.fromEntries(inputs.map((input, at) => [input, () => tf.zeros(saved[at].shape)]));
    installGradient(tf, name, (original) => original ?? { inputsToSave: inputs, gradFunc });
  }
}
