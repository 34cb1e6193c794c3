import { describe, expect, it } from 'vitest';
import { segmentationNet } from '../../models/segmentationNet.mjs';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf } from '../helpers/tfjsModels.js';

const SHAPE = [8, 8, 1];

describe('segmentationNet', () => {
  // Two levels of 2 and 4 filters and 8 at the bottom: 3 x 3 kernels on what comes in, 2 x 2 where sizes double, and
  // twice the filters where a level is joined by what it saw on the way down.
  it('has the weights that its shapes say, and gives a value for every pixel', () => {
    const model = segmentationNet(tf, { inputShape: SHAPE, filters: 2 });
    const down = 9 * 2 + 2 + (9 * 2 * 4 + 4) + (9 * 4 * 8 + 8);
    const up = 4 * 8 * 4 + 4 + (9 * 8 * 4 + 4) + (4 * 4 * 2 + 2) + (9 * 4 * 2 + 2);
    expect(model.countParams()).toBe(down + up + 2 + 1);
    expect(model.outputs[0].shape).toEqual([null, ...SHAPE]);
    model.dispose();
  });

  it('joins each level with what it saw on the way down', () => {
    const model = segmentationNet(tf, { inputShape: SHAPE });
    const joined = (name: string) =>
      model.getLayer(name).inboundNodes.flatMap(({ inboundLayers }) => inboundLayers.map((layer) => layer.name));
    expect(joined('join0')).toEqual(['down0_active', 'double0']);
    expect(joined('join1')).toEqual(['down1_active', 'double1']);
    model.dispose();
  });

  it.each(BACKENDS)('learns in two epochs on %s, and leaves nothing behind', async (backend) => {
    const { X } = rowsLike(SHAPE);
    // What is brighter than the mean of noise and class is to be marked.
    const y = { data: Uint8Array.from(X.data, (value) => (value > 1 ? 1 : 0)), shape: X.shape.slice(0, 3) };
    const model = () => segmentationNet(tf, { inputShape: SHAPE, filters: 2 });
    const { losses, left, results } = await trainTwoEpochs(backend, { model, data: [X, y] });
    for (const [first, second] of losses) expect(second).toBeLessThan(first);
    expect(Object.keys(results.scores)).toContain('dice');
    expect(left).toBe(0);
  });
});
