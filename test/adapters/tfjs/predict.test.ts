import { describe, expect, it } from 'vitest';
import { predict } from '../../../adapters/tfjs/predict.js';
import { type RowsInput, rowsOf } from '../../../src/data/rows.js';
import type { LabelFacts } from '../../../src/runner/frameworkAdapter.js';
import { network, rowSource, stack, table, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X } = table(300);
const binary: LabelFacts = { task: 'binary', classes: [0, 1] };
const multiclass: LabelFacts = { task: 'multiclass', classes: [0, 1, 2] };
const run = (model: tf.LayersModel, facts: LabelFacts, rows: RowsInput = X) =>
  predict(tf, viewOf(model), rowsOf(rows), facts);
const direct = (model: tf.LayersModel) =>
  tf.tidy(() => Array.from((model.predict(tf.tensor2d(X)) as tf.Tensor).dataSync()));

describe('predict', () => {
  it('gives the probability of one unit, and leaves no tensor behind', async () => {
    const model = network();
    const before = tf.memory().numTensors;
    const { probabilities } = await run(model, binary);
    expect(tf.memory().numTensors).toBe(before);
    expect(probabilities?.shape).toEqual([300, 1]);
    expect(Array.from(probabilities?.data ?? [])).toEqual(direct(model));
  });

  it('gives the output of softmax, of many labels, and of regressions as it is', async () => {
    const softmax = network({ units: 3 });
    expect(await run(softmax, multiclass)).toEqual({
      probabilities: { data: Float64Array.from(direct(softmax)), shape: [300, 3] },
    });
    const sigmoids = network({ units: 3, activation: 'sigmoid' });
    expect((await run(sigmoids, { task: 'multilabel', classes: [0, 1, 2] })).probabilities?.shape).toEqual([300, 3]);
    const linear = network({ activation: 'linear' });
    expect(await run(linear, { task: 'regression', classes: [] })).toEqual({
      values: Float64Array.from(direct(linear)),
    });
  });

  it('reads row sources in pieces', async () => {
    const { asked, source } = rowSource(X);
    const model = network();
    expect(await run(model, binary, source)).toEqual(await run(model, binary));
    expect(asked.map(({ length }) => length)).toEqual([256, 44]);
  });

  it('gives masks flat, row by row, also of a model that takes every size', async () => {
    for (const side of [4, null]) {
      const conv = { filters: 1, kernelSize: 3, padding: 'same' as const, activation: 'sigmoid' as const };
      const model = stack(tf.layers.conv2d({ ...conv, inputShape: [side, side, 1] as number[] }));
      const images = tf.randomNormal([40, 4, 4, 1]);
      const expected = tf.tidy(() => Array.from((model.predict(images) as tf.Tensor).dataSync()));
      const facts: LabelFacts = { task: 'multilabel', classes: Array.from({ length: 16 }, (_, pixel) => pixel) };
      const { probabilities } = await run(model, facts, images);
      expect(probabilities).toEqual({ data: Float64Array.from(expected), shape: [40, 16] });
      if (side !== null) continue;
      const nine: LabelFacts = { task: 'multilabel', classes: Array.from({ length: 9 }, (_, pixel) => pixel) };
      expect(await thrown(() => run(model, nine, images))).toMatch(/\(output_shape\): .*Got .*\b16\b/);
    }
  });

  it('gives the output of y where there are several, from several inputs', async () => {
    const inputs = [tf.input({ shape: [2], name: 'left' }), tf.input({ shape: [1], name: 'right' })];
    const both = tf.layers.concatenate().apply(inputs);
    const heads = ['size', 'tumour'].map(
      (name) => tf.layers.dense({ units: 1, activation: 'sigmoid', name }).apply(both) as tf.SymbolicTensor,
    );
    const model = tf.model({ inputs, outputs: heads });
    const rows = { right: X.map(([, , c]) => [c]), left: X.map(([a, b]) => [a, b]) };
    const given = [tf.tensor2d(rows.left), tf.tensor2d(rows.right)];
    const [size, tumour] = tf.tidy(() =>
      (model.predict(given) as tf.Tensor[]).map((each) => Array.from(each.dataSync())),
    );
    const ofSecond = async (settings = {}, auxiliary: string[] = []) => {
      const { probabilities } = await predict(tf, viewOf(model), rowsOf(rows), { ...binary, auxiliary }, settings);
      return Array.from(probabilities?.data ?? []);
    };
    expect(await ofSecond({ output: 'tumour' })).toEqual(tumour);
    expect(await ofSecond({ output: 'size' })).toEqual(size);
    expect(await thrown(() => ofSecond())).toContain('model_outputs');
    expect(await ofSecond({}, ['size'])).toEqual(tumour);
  });
});
