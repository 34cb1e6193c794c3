import { outputLayer } from './outputLayer.mjs';

/**
 * A network for tables of numbers on any scale: laboratory values, measurements, scores. Batch normalisation at the
 * input learns the scale of each column from the training rows of a fold alone, so that no scaler outside the fold is
 * needed.
 *
 * In: `[n, columns]`. Out: `[n, 1]` for two classes or regression, else `[n, classes]`; see {@link outputLayer}.
 *
 * Sources: Ioffe & Szegedy 2015, Batch normalization; Srivastava et al. 2014, Dropout.
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {readonly (number | null)[]} options.inputShape `[columns]`
 * @param {number | readonly unknown[]} options.classes How many, or their list; none for regression.
 * @param {string} [options.task] `'multilabel'` for several labels per row.
 * @param {readonly number[]} [options.units] Units of each hidden layer.
 * @param {number} [options.dropout] Share of units that a training step leaves out.
 * @returns {import('@tensorflow/tfjs').Sequential} Not compiled.
 */
export function tabularNetwork(tf, { inputShape, classes, task, units = [16], dropout = 0.2 }) {
  return tf.sequential({
    name: 'tabular',
    layers: [
      // A momentum of 0.9 follows the few steps of a small table; the default of 0.99 would lag behind.
      tf.layers.batchNormalization({ inputShape: [...inputShape], momentum: 0.9, name: 'scale' }),
      ...units.flatMap((count, at) => [
        tf.layers.dense({ units: count, activation: 'relu', name: `hidden${at + 1}` }),
        tf.layers.dropout({ rate: dropout, name: `dropout${at + 1}` }),
      ]),
      outputLayer(tf, { classes, task }),
    ],
  });
}
