/**
 * Gradients of dilated convolutions, which tfjs (4.22) refuses. A dilated convolution is a plain one with a filter that has
 * zeros between its taps; so its gradients are those of the plain one, without the entries of the zeros.
 */
import type { GradConfig, Tensor } from '@tensorflow/tfjs';
import { installGradient } from '../kernels.js';
import type { Tf } from '../structures.js';

/** Installs them for 1-D, 2-D, 3-D and depthwise convolution. */
export function installDilatedGradients(tf: Tf): void {
  for (const [name, dimensions] of [
    ['Conv2D', 2],
    ['DepthwiseConv2dNative', 2],
    ['Conv3D', 3],
  ] as const) {
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

/** The filter with zeros between its taps, `spacing - 1` along each of the leading axes. */
function spread(tf: Tf, filter: Tensor, spacing: readonly number[]): Tensor {
  return spacing.reduce((tensor, step, axis) => {
    const { shape } = tensor;
    const outer = tf.util.sizeFromShape(shape.slice(0, axis));
    const inner = tf.util.sizeFromShape(shape.slice(axis + 1));
    const apart = tf.pad(tf.reshape(tensor, [outer, shape[axis], inner]), [
      [0, 0],
      [0, 0],
      [0, inner * (step - 1)],
    ]);
    const size = (shape[axis] - 1) * step + 1; // none after the last tap
    const cut = tf.slice(tf.reshape(apart, [outer, shape[axis] * step, inner]), [0, 0, 0], [outer, size, inner]);
    return tf.reshape(cut, shape.with(axis, size));
  }, filter);
}

/** The entries of the taps: the inverse of {@link spread}. */
function gathered(tf: Tf, gradient: Tensor, spacing: readonly number[]): Tensor {
  const strides = gradient.shape.map((_, axis) => spacing[axis] ?? 1);
  return tf.stridedSlice(gradient, new Array(gradient.rank).fill(0), gradient.shape, strides);
}
