/**
 * The last layer of a classifier, as the adapter expects it.
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {{ classes: number | readonly unknown[], task?: string }} options `classes`: how many, or the list that the
 *   context of a fold holds; `task` where the number does not tell.
 * @returns {import('@tensorflow/tfjs').layers.Layer} One sigmoid unit for two classes, a softmax unit for each of more,
 *   a sigmoid unit per label of a multilabel task, one linear unit for none (regression).
 */
export function outputLayer(tf, { classes, task }) {
  const count = typeof classes === 'number' ? classes : classes.length;
  if (count === 0) return tf.layers.dense({ units: 1, name: 'output' });
  if (task === 'multilabel') return tf.layers.dense({ units: count, activation: 'sigmoid', name: 'output' });
  if (count > 2) return tf.layers.dense({ units: count, activation: 'softmax', name: 'output' });
  return tf.layers.dense({ units: 1, activation: 'sigmoid', name: 'output' });
}
