/** A small convolutional network with dropout; its weights and masks are drawn from the seed of the fold. */
import * as tf from '@tensorflow/tfjs';

export default ({ inputShape }) => {
  const model = tf.sequential();
  model.add(tf.layers.conv2d({ filters: 3, kernelSize: 3, activation: 'relu', inputShape: [...inputShape] }));
  model.add(tf.layers.flatten());
  model.add(tf.layers.dropout({ rate: 0.25 }));
  model.add(tf.layers.dense({ units: 1, activation: 'sigmoid' }));
  model.compile({ optimizer: 'adam', loss: 'binaryCrossentropy' });
  return model;
};
