import { describe, expect, it } from 'vitest';
import { patientLstm } from '../../models/patientLstm.mjs';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf } from '../helpers/tfjsModels.js';

describe('patientLstm', () => {
  // Four gates, each from 3 features and 5 units of state, with a bias; one unit at the end.
  it('has the weights that its shapes say', () => {
    const model = patientLstm(tf, { timesteps: 6, features: 3, classes: 2, units: 5 });
    expect(model.countParams()).toBe(4 * 5 * (3 + 5 + 1) + 5 + 1);
    model.dispose();
  });

  it('passes over the hours that are missing at the end', () => {
    const model = patientLstm(tf, { timesteps: 6, features: 3, classes: 2, maskValue: -1 });
    const hours = Array.from({ length: 4 }, (_, hour) => [hour / 4, 1 - hour / 4, 0.5]);
    const missing = [-1, -1, -1];
    // The same weights on four hours alone: nothing is filled up, so nothing can be passed over.
    const short = patientLstm(tf, { timesteps: 4, features: 3, classes: 2, maskValue: -1 });
    short.setWeights(model.getWeights());
    const [filled, alone] = tf.tidy(() => [
      (model.predict(tf.tensor([[...hours, missing, missing]])) as tf.Tensor).dataSync()[0],
      (short.predict(tf.tensor([hours])) as tf.Tensor).dataSync()[0],
    ]);
    expect(filled).toBeCloseTo(alone, 6);
    model.dispose();
    short.dispose();
  });

  it.each(BACKENDS)('learns in two epochs on %s, and leaves nothing behind', async (backend) => {
    const { X, y } = rowsLike([6, 3]);
    const { losses, left, results } = await trainTwoEpochs(backend, {
      model: (ctx) => patientLstm(tf, { timesteps: 6, features: 3, classes: ctx.classes, units: 5 }),
      data: [X, y],
    });
    for (const [first, second] of losses) expect(second).toBeLessThan(first);
    expect(results.outOfFold.yProba).toHaveLength(y.length);
    expect(left).toBe(0);
  });
});
