import { convolutionBlocks } from './convolutionBlocks.mjs';
import { outputLayer } from './outputLayer.mjs';

/**
 * A network for small images: X-rays, slices, patches. Blocks of a 3 x 3 convolution and a pooling that halves the
 * image, the mean of each filter over what is left of it, and a dense layer. The mean needs no fixed place for a
 * finding and few weights, which suits a few hundred images.
 *
 * In: `[n, height, width, channels]`, values about 0 to 1. Out: `[n, 1]` for two classes or regression, else
 * `[n, classes]`; see {@link outputLayer}. The layer `features` gives `[n, last of filters]`, for transfer learning.
 *
 * Sources: Simonyan & Zisserman 2015, Very deep convolutional networks (3 x 3 blocks); Lin, Chen & Yan 2014, Network in
 * network (global average pooling).
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {readonly (number | null)[]} options.inputShape `[height, width, channels]`; each filter halves height and width.
 * @param {number | readonly unknown[]} options.classes How many, or their list; none for regression.
 * @param {string} [options.task] `'multilabel'` for several labels per row.
 * @param {readonly number[]} [options.filters] Filters of each block.
 * @param {number} [options.dropout] Share of features that a training step leaves out.
 * @returns {import('@tensorflow/tfjs').Sequential} Not compiled.
 */
export function convolutional2d(tf, { inputShape, classes, task, filters = [8, 16], dropout = 0 }) {
  return tf.sequential({
    name: 'convolutional2d',
    layers: [
      ...convolutionBlocks(tf, 2, { inputShape, filters }),
      tf.layers.globalAveragePooling2d({ name: 'features' }),
      tf.layers.dropout({ rate: dropout, name: 'dropout' }),
      outputLayer(tf, { classes, task }),
    ],
  });
}
