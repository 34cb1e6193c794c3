/** Functions that options name by this module. */
import * as tf from '@tensorflow/tfjs';

export const loss = (yTrue, yPred) => tf.losses.meanSquaredError(yTrue, yPred);

export const optimizer = ({ rate }) => tf.train.sgd(rate);

export const augment = ({ X }, { random }) => ({ X: X.add(0.1 * random.random()) });

export const share = ({ yProba }, { over }) => yProba.filter((value) => value > over).length / yProba.length;

export const trainStep = ({ model, optimizer, x, y }, { weight }) =>
  optimizer.minimize(() => tf.losses.meanSquaredError(y, model.apply(x, { training: true })).mul(weight), true);
