/** Transfer learning: only the head trains, on the trained base of models/trained. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../../adapters/tfjs/index.js';
import { newHead } from '../../models/newHead.mjs';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf, weightsOf } from '../helpers/tfjsModels.js';

const BASE = fileURLToPath(new URL('../../models/trained/shapes-conv2d', import.meta.url));

describe('newHead', () => {
  it.each(BACKENDS)('trains the head on %s, and leaves the base as it was, bit for bit', async (backend) => {
    const base = await loadNetwork(BASE);
    // Without the last layer, which is a kernel and a bias.
    const expected = weightsOf(base).slice(0, -2);
    base.dispose();
    const { X, y } = rowsLike([12, 12, 1]);
    const begun: number[][][] = [];
    const model = async ({ classes }: FoldContext) => {
      const made = newHead(tf, { base: await loadNetwork(BASE), classes });
      begun.push(weightsOf(made));
      return made;
    };
    const before = tf.memory().numTensors;
    const { results } = await trainTwoEpochs(backend, { model, data: [X, y], keepModels: 'memory' });
    results.models.forEach((trained, fold) => {
      const weights = weightsOf(trained as tf.LayersModel);
      // tfjs lists what trains first: the kernel and the bias of the head.
      expect(weights.slice(0, 2)).not.toEqual(begun[fold].slice(0, 2));
      expect(weights.slice(2)).toEqual(expected);
      (trained as tf.LayersModel).dispose();
    });
    expect(tf.memory().numTensors).toBe(before);
  });

  it('keeps layers up to the one that is named, and disposes the rest of the base', async () => {
    const before = tf.memory().numTensors;
    const model = newHead(tf, { base: await loadNetwork(BASE), at: 'convolution1', classes: 3 });
    expect(model.outputs[0].shape.at(-1)).toBe(3);
    expect(model.trainableWeights).toHaveLength(2);
    model.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });
});
