/** A small network of two convolutions on images of 28 x 28. */
import * as tf from '@tensorflow/tfjs';

export default ({ inputShape }) =>
  tf.sequential({
    layers: [
      tf.layers.conv2d({ inputShape: [...inputShape], filters: 8, kernelSize: 3, activation: 'relu' }),
      tf.layers.maxPooling2d({ poolSize: 2 }),
      tf.layers.conv2d({ filters: 16, kernelSize: 3, activation: 'relu' }),
      tf.layers.flatten(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
