import { describe, expect, it } from 'vitest';
import { snapshot } from '../../../adapters/tfjs/snapshot.js';
import { onBackend, tf, viewOf, weightsOf } from '../../helpers/tfjsModels.js';
import { hasTfjsNode } from '../../helpers/tfjsNode.js';
import { thrown } from '../../helpers/thrown.js';

/** Moving statistics, and a constraint that changes weights whenever they are set. */
function network(): tf.Sequential {
  const model = tf.sequential({
    layers: [
      tf.layers.dense({ units: 4, inputShape: [3], kernelConstraint: tf.constraints.unitNorm({ axis: 0 }) }),
      tf.layers.batchNormalization(),
      tf.layers.dense({ units: 1, activation: 'sigmoid' }),
    ],
  });
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  return model;
}

async function train(model: tf.LayersModel): Promise<void> {
  const [x, y] = [tf.randomNormal([16, 3]), tf.ones([16, 1])];
  await model.fit(x, y, { epochs: 2, verbose: 0 });
  tf.dispose([x, y]);
}

describe.each([
  ['cpu', true],
  ['wasm', true],
  ['tensorflow', hasTfjsNode],
])('a snapshot on %s', (backend, runs) => {
  it.runIf(runs)('gives back the same bits as often as asked, moving statistics too, and leaves no tensor', () =>
    onBackend(backend, async () => {
      const model = network();
      await train(model);
      const [expected, held] = [weightsOf(model), tf.memory()];
      const taken = snapshot(viewOf(model));
      // Clones share their numbers; those of wasm are copies.
      if (backend !== 'wasm') expect(tf.memory().numDataBuffers).toBe(held.numDataBuffers);
      for (let again = 0; again < 2; again++) {
        await train(model);
        expect(weightsOf(model)).not.toEqual(expected);
        taken.restore();
        expect(weightsOf(model)).toEqual(expected);
      }
      await train(model);
      taken.restore();
      taken.release();
      expect(weightsOf(model)).toEqual(expected);
      expect(tf.memory().numTensors).toBe(held.numTensors);
      await train(model);
      model.dispose();
    }),
  );
});

describe('a snapshot that was released', () => {
  it('is not restored', async () => {
    const model = network();
    const taken = snapshot(viewOf(model));
    taken.release();
    taken.release();
    expect(await thrown(() => taken.restore())).toMatch(/\(snapshot_released\): .*Got one that was/);
    model.dispose();
  });
});
