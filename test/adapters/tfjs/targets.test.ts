import { describe, expect, it } from 'vitest';
import { targetsOf } from '../../../adapters/tfjs/targets.js';
import { type Labels, labelsOf } from '../../../src/data/labels.js';
import { withPositive } from '../../../src/data/positiveCode.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';

const targets = (labels: Labels, model: tf.LayersModel, loss?: string) =>
  targetsOf(viewOf(model), { name: 'out', label: 'out', place: 0, labels }, loss);

describe('targetsOf', () => {
  it('gives numbers as they are', () => {
    expect(targets(labelsOf([0.5, 2.25]), network(), 'meanSquaredError')).toEqual({
      data: Float32Array.of(0.5, 2.25),
      rowShape: [1],
    });
  });

  it('gives 0 and 1 for one unit, 1 being the positive class', () => {
    const one = (labels: Labels) => Array.from(targets(labels, network(), 'binaryCrossentropy').data);
    expect(one(labelsOf(['yes', 'no', 'yes']))).toEqual([1, 0, 1]);
    expect(one(labelsOf(['control', 'case', 'case']))).toEqual([0, 1, 1]); // a known pair: case is positive
    expect(one(withPositive(labelsOf(['healthy', 'cancer', 'cancer']), 0))).toEqual([0, 1, 1]);
    expect(one(withPositive(labelsOf(['healthy', 'cancer']), 1).take(Int32Array.of(0)))).toEqual([1]);
  });

  it('gives one-hot rows for one unit per class, also without a loss, and codes for the sparse loss', () => {
    const labels = labelsOf(['c', 'a', 'b']);
    const model = network({ units: 3 });
    const onehot = { data: Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0), rowShape: [3] };
    expect(targets(labels, model, 'categoricalCrossentropy')).toEqual(onehot);
    expect(targets(labels, model)).toEqual(onehot);
    expect(targets(labels, model, 'sparseCategoricalCrossentropy')).toEqual({
      data: Float32Array.of(2, 0, 1),
      rowShape: [1],
    });
  });

  it('gives the rows of many labels', () => {
    const labels = labelsOf([
      [1, 1],
      [0, 1],
    ]);
    const model = network({ units: 2, activation: 'sigmoid' });
    expect(targets(labels, model, 'binaryCrossentropy')).toEqual({ data: Float32Array.of(1, 1, 0, 1), rowShape: [2] });
  });

  it('gives masks in the shape of the output', () => {
    const masks = labelsOf([
      [
        [0, 1],
        [1, 1],
      ],
      [
        [0, 0],
        [1, 0],
      ],
    ]);
    const model = tf.sequential({
      layers: [tf.layers.conv2d({ filters: 1, kernelSize: 1, activation: 'sigmoid', inputShape: [2, 2, 1] })],
    });
    expect(targets(masks, model, 'binaryCrossentropy')).toEqual({
      data: Float32Array.of(0, 1, 1, 1, 0, 0, 1, 0),
      rowShape: [2, 2, 1],
    });
  });
});
