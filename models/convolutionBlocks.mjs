/**
 * Blocks of a convolution, 3 in every direction, and a pooling that halves the image: the layers in front of a head.
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {2 | 3} dimensions Of the image.
 * @param {object} options
 * @param {readonly (number | null)[]} options.inputShape Sizes, then channels.
 * @param {readonly number[]} options.filters Filters of each block.
 * @returns {import('@tensorflow/tfjs').layers.Layer[]}
 */
export function convolutionBlocks(tf, dimensions, { inputShape, filters }) {
  return filters.flatMap((count, at) => [
    tf.layers[`conv${dimensions}d`]({
      ...(at === 0 ? { inputShape: [...inputShape] } : {}),
      filters: count,
      kernelSize: 3,
      padding: 'same',
      activation: 'relu',
      kernelInitializer: 'heNormal',
      name: `convolution${at + 1}`,
    }),
    tf.layers[`maxPooling${dimensions}d`]({ poolSize: 2, name: `pooling${at + 1}` }),
  ]);
}
