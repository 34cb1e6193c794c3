/** The model of threads.mjs, in a file of its own: each thread loads it. */
import * as tf from '@tensorflow/tfjs';

export default ({ inputShape }) =>
  tf.sequential({
    layers: [
      tf.layers.batchNormalization({ inputShape: [...inputShape], momentum: 0.9 }),
      tf.layers.dense({ units: 16, activation: 'relu' }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
