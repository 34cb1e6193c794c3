import { convolutionBlocks } from './convolutionBlocks.mjs';
import { outputLayer } from './outputLayer.mjs';

/**
 * A network for small volumes: patches of CT or MRI around a finding. Blocks of a 3 x 3 x 3 convolution and a pooling
 * that halves the volume, and a dense layer on what is left.
 *
 * In: `[n, depth, height, width, channels]`, values about 0 to 1. Out: `[n, 1]` for two classes or regression, else
 * `[n, classes]`; see {@link outputLayer}.
 *
 * Source: Tran et al. 2015, Learning spatiotemporal features with 3D convolutional networks (3 x 3 x 3 kernels).
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {readonly (number | null)[]} options.inputShape `[depth, height, width, channels]`; each filter halves the first three.
 * @param {number | readonly unknown[]} options.classes How many, or their list; none for regression.
 * @param {string} [options.task] `'multilabel'` for several labels per row.
 * @param {readonly number[]} [options.filters] Filters of each block.
 * @param {number} [options.dropout] Share of features that a training step leaves out.
 * @returns {import('@tensorflow/tfjs').Sequential} Not compiled.
 */
export function convolutional3d(tf, { inputShape, classes, task, filters = [4, 8], dropout = 0 }) {
  return tf.sequential({
    name: 'convolutional3d',
    layers: [
      ...convolutionBlocks(tf, 3, { inputShape, filters }),
      tf.layers.flatten({ name: 'features' }),
      tf.layers.dropout({ rate: dropout, name: 'dropout' }),
      outputLayer(tf, { classes, task }),
    ],
  });
}
