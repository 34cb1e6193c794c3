import { describe, expect, it } from 'vitest';
import { tabularNetwork } from '../../models/tabularNetwork.mjs';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { BACKENDS, rowsLike, trainTwoEpochs } from '../helpers/modelRuns.js';
import { tf } from '../helpers/tfjsModels.js';

describe('tabularNetwork', () => {
  // 5 columns, 16 hidden units. Normalisation: 4 numbers a column. Hidden: 5 * 16 + 16. Output: 16 + 1.
  it('has the weights that its shapes say', () => {
    const model = tabularNetwork(tf, { inputShape: [5], classes: 2 });
    expect(model.countParams()).toBe(4 * 5 + 5 * 16 + 16 + 16 + 1);
    expect(model.outputs[0].shape).toEqual([null, 1]);
    model.dispose();
  });

  it.each(BACKENDS)('learns in two epochs on %s, and leaves nothing behind', async (backend) => {
    const { X, y } = rowsLike([5]);
    const { losses, left, results } = await trainTwoEpochs(backend, {
      model: ({ classes }) => tabularNetwork(tf, { inputShape: [5], classes }),
      data: [X, y],
    });
    for (const [first, second] of losses) expect(second).toBeLessThan(first);
    expect(results.outOfFold.yProba).toHaveLength(y.length);
    expect(left).toBe(0);
  });

  it('takes three classes, several labels and numbers from the context of the fold', async () => {
    const { X, y } = rowsLike([5], 3);
    const model = ({ classes, task }: FoldContext) => tabularNetwork(tf, { inputShape: [5], classes, task });
    const loss = { lossFn: 'sparseCategoricalCrossentropy' };
    expect((await trainTwoEpochs('cpu', { model, data: [X, y], ...loss })).results.metadata.task).toBe('multiclass');
    const labels = y.map((label) => [label > 0 ? 1 : 0, label > 1 ? 1 : 0]);
    expect((await trainTwoEpochs('cpu', { model, data: [X, labels] })).results.metadata.task).toBe('multilabel');
    const numbers = y.map((label, row) => label + row / 7);
    const squares = { lossFn: 'meanSquaredError' };
    const { results } = await trainTwoEpochs('cpu', { model, data: [X, numbers], ...squares });
    expect(results.metadata.task).toBe('regression');
  });
});
