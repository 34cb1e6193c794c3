/** A network that draws weights and dropout. */
import * as tf from '@tensorflow/tfjs';

export default ({ inputShape }) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ inputShape, units: 6, activation: 'relu' }),
      tf.layers.dropout({ rate: 0.3 }),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
