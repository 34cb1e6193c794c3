import { outputLayer } from './outputLayer.mjs';

/**
 * A network for the course of a patient: vital signs by hour, laboratory values by visit. Stays differ in length, so
 * that shorter ones are filled up to `timesteps` with rows of `maskValue`, which the network passes over.
 *
 * In: `[n, timesteps, features]`, each feature about -1 to 1. Out: `[n, 1]` for two classes or regression, else
 * `[n, classes]`; see {@link outputLayer}.
 *
 * Sources: Hochreiter & Schmidhuber 1997, Long short-term memory; Lipton et al. 2016, Learning to diagnose with LSTM
 * recurrent neural networks.
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {number} options.timesteps Longest course.
 * @param {number} options.features Values at each time.
 * @param {number | readonly unknown[]} options.classes How many, or their list; none for regression.
 * @param {string} [options.task] `'multilabel'` for several labels per row.
 * @param {number} [options.units] Size of the state.
 * @param {number} [options.maskValue] A time at which every feature has this value counts as missing.
 * @returns {import('@tensorflow/tfjs').Sequential} Not compiled.
 */
export function patientLstm(tf, { timesteps, features, classes, task, units = 16, maskValue = 0 }) {
  return tf.sequential({
    name: 'course',
    layers: [
      tf.layers.masking({ inputShape: [timesteps, features], maskValue, name: 'mask' }),
      tf.layers.lstm({ units, name: 'course' }),
      outputLayer(tf, { classes, task }),
    ],
  });
}
