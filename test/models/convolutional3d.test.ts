import { describe, expect, it } from 'vitest';
import { convolutional3d } from '../../models/convolutional3d.mjs';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf } from '../helpers/tfjsModels.js';

describe('convolutional3d', () => {
  // 2 and 3 filters of 3 x 3 x 3, each with a bias. Two poolings leave one voxel per filter; one unit.
  it('has the weights that its shapes say', () => {
    const model = convolutional3d(tf, { inputShape: [4, 4, 4, 1], classes: 2, filters: [2, 3] });
    expect(model.countParams()).toBe(27 * 2 + 2 + 27 * 2 * 3 + 3 + 3 + 1);
    expect(model.getLayer('features').outputShape).toEqual([null, 3]);
    model.dispose();
  });

  it.each(BACKENDS)('learns in two epochs on %s, and leaves nothing behind', async (backend) => {
    const { X, y } = rowsLike([4, 4, 4, 1]);
    const model = ({ classes }: FoldContext) =>
      convolutional3d(tf, { inputShape: [4, 4, 4, 1], classes, filters: [2, 3] });
    const { losses, left, results } = await trainTwoEpochs(backend, { model, data: [X, y] });
    for (const [first, second] of losses) expect(second).toBeLessThan(first);
    expect(results.outOfFold.yProba).toHaveLength(y.length);
    expect(left).toBe(0);
  });
});
