import { MissingPackageError } from 'cvkit';
import { tabularNetwork } from '../tabularNetwork.mjs';

const NAME = '@tensorflow/tfjs';

/**
 * `--model network` of the command line: a small TensorFlow.js network for tables. A search calls it with parameters and the context of a
 * fold, `validate` with the context alone.
 *
 * @param {any} first in a search its parameters: `{ units: [32], dropout: 0.1 }`
 * @param {any} [context]
 */
export default async function network(first, context) {
  const [params, { inputShape, classes }] = context ? [first, context] : [{}, first];
  const tf = await import(NAME).catch((error) => {
    throw new MissingPackageError(NAME, '`--model network`', `npm install ${NAME}`, error);
  });
  // The advice to install tfjs-node, which comes with the first tensor, is not for who takes this small network.
  tf.env().set('PROD', true);
  tf.scalar(0).dispose();
  tf.env().set('PROD', false);
  return tabularNetwork(tf, { ...params, inputShape, classes });
}
