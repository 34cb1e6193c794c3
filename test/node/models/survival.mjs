/** A network of hazards, and its loss by this module: a loss function cannot leave its thread. */
import * as tf from '@tensorflow/tfjs';
import { discreteHazardLoss } from '../../../dist/node/adapters/tfjs.js';

export const loss = discreteHazardLoss({ cuts: [1, 2, 4] });

export default ({ inputShape }) =>
  tf.sequential({ layers: [tf.layers.dense({ units: 3, activation: 'sigmoid', inputShape: [...inputShape] })] });
