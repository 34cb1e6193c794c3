/**
 * A small U-Net: marks the pixels of an image that belong to a finding. Each level halves the image and doubles the
 * filters; on the way back each level joins what it saw on the way down, so that outlines stay sharp.
 *
 * In: `[n, height, width, channels]`, values about 0 to 1; height and width multiples of `2 ** levels`. Out:
 * `[n, height, width, 1]`, the probability of each pixel. Train it with `binaryCrossentropy` or a Dice loss on masks of
 * 0 and 1 of the same shape.
 *
 * Source: Ronneberger, Fischer & Brox 2015, U-Net; here with padded convolutions, so
 * that in and out have one size; leaky ReLU as in Isensee et al. 2021, nnU-Net.
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {readonly (number | null)[]} options.inputShape `[height, width, channels]`
 * @param {number} [options.filters] Filters of the first level.
 * @param {number} [options.levels] How often the image is halved.
 * @returns {import('@tensorflow/tfjs').LayersModel} Not compiled.
 */
export function segmentationNet(tf, { inputShape, filters = 8, levels = 2 }) {
  // Leaky: with plain ReLU the last features may all be 0 where the lesion is, and then nothing there is learned.
  const convolution = (input, count, name) => {
    const seen = tf.layers.conv2d({
      filters: count,
      kernelSize: 3,
      padding: 'same',
      kernelInitializer: 'heNormal',
      name,
    });
    return tf.layers.leakyReLU({ alpha: 0.1, name: `${name}_active` }).apply(seen.apply(input));
  };
  const input = tf.input({ shape: [...inputShape], name: 'image' });
  const seen = [];
  let x = input;
  for (let level = 0; level < levels; level++) {
    x = convolution(x, filters * 2 ** level, `down${level}`);
    seen.push(x);
    x = tf.layers.maxPooling2d({ poolSize: 2, name: `halve${level}` }).apply(x);
  }
  x = convolution(x, filters * 2 ** levels, 'bottom');
  for (let level = levels - 1; level >= 0; level--) {
    const count = filters * 2 ** level;
    const up = tf.layers
      .conv2dTranspose({ filters: count, kernelSize: 2, strides: 2, name: `double${level}` })
      .apply(x);
    x = tf.layers.concatenate({ name: `join${level}` }).apply([seen[level], up]);
    x = convolution(x, count, `up${level}`);
  }
  const mask = tf.layers.conv2d({ filters: 1, kernelSize: 1, activation: 'sigmoid', name: 'mask' }).apply(x);
  return tf.model({ inputs: input, outputs: mask, name: 'segmentation' });
}
