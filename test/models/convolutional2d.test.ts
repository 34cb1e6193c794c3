import { describe, expect, it } from 'vitest';
import { convolutional2d } from '../../models/convolutional2d.mjs';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf } from '../helpers/tfjsModels.js';

describe('convolutional2d', () => {
  // 2 and 3 filters of 3 x 3 on one channel, each with a bias; a mean per filter; one unit.
  it('has the weights that its shapes say, and a layer of features', () => {
    const model = convolutional2d(tf, { inputShape: [8, 8, 1], classes: 2, filters: [2, 3] });
    expect(model.countParams()).toBe(9 * 2 + 2 + 9 * 2 * 3 + 3 + 3 + 1);
    expect(model.getLayer('features').outputShape).toEqual([null, 3]);
    model.dispose();
  });

  it.each(BACKENDS)('learns in two epochs on %s, and leaves nothing behind', async (backend) => {
    const { X, y } = rowsLike([8, 8, 1]);
    const model = ({ classes }: FoldContext) =>
      convolutional2d(tf, { inputShape: [8, 8, 1], classes, filters: [2, 3] });
    const { losses, left, results } = await trainTwoEpochs(backend, { model, data: [X, y] });
    for (const [first, second] of losses) expect(second).toBeLessThan(first);
    expect(results.outOfFold.yProba).toHaveLength(y.length);
    expect(left).toBe(0);
  });
});
