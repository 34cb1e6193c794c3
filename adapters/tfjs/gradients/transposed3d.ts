/** The gradient of transposed 3-D convolution, which tfjs (4.22) lacks; that of 2-D, which it has, is its model. */
import type { Tensor } from '@tensorflow/tfjs';
import { installGradient } from '../kernels.js';
import type { Tf } from '../structures.js';

/** Installs it. Transposed convolution is the gradient of convolution by its input, linear in both of its inputs. */
export function installTransposedGradient(tf: Tf): void {
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
