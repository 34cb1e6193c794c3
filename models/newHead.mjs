import { outputLayer } from './outputLayer.mjs';

/**
 * Transfer learning: the layers of a trained network up to `at`, which stay as they are, and a new last layer, which is
 * all that trains. Load the base inside the factory, once per fold: the network that comes out of here owns its layers.
 *
 * In: as the base. Out: `[n, 1]` for two classes or regression, else `[n, classes]`; see {@link outputLayer}.
 *
 * Source: Yosinski et al. 2014, How transferable are features in deep neural networks?
 *
 * @param {typeof import('@tensorflow/tfjs')} tf
 * @param {object} options
 * @param {import('@tensorflow/tfjs').LayersModel} options.base A trained network. The layers after `at` are disposed.
 * @param {string} [options.at] Name of the last layer to keep; it gives one list of features per row.
 * @param {number | readonly unknown[]} options.classes How many, or their list; none for regression.
 * @param {string} [options.task] `'multilabel'` for several labels per row.
 * @returns {import('@tensorflow/tfjs').Sequential} Not compiled.
 */
export function newHead(tf, { base, at = 'features', classes, task }) {
  const kept = base.getLayer(at);
  for (const layer of base.layers.slice(base.layers.indexOf(kept) + 1)) layer.dispose();
  const features = tf.model({ inputs: base.inputs, outputs: kept.output, name: 'base' });
  features.trainable = false;
  return tf.sequential({ name: 'transfer', layers: [features, outputLayer(tf, { classes, task })] });
}
