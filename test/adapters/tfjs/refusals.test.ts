import { describe, expect, it } from 'vitest';
import { checkTrainable, refusals } from '../../../adapters/tfjs/refusals.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';

const { layers: l } = tf;
const BACKENDS = ['cpu', 'wasm', 'tensorflow', 'webgl', 'webgpu'];

const model = (...layers: unknown[]) => tf.sequential({ layers: layers as tf.layers.Layer[] });
const first = () =>
  l.separableConv2d({ filters: 1, kernelSize: 2, dataFormat: 'channelsFirst', inputShape: [1, 5, 5], name: 'first' });
const leaping = () =>
  l.conv3d({ filters: 1, kernelSize: 1, strides: 2, padding: 'same', inputShape: [4, 4, 4, 1], name: 'far' });

// Which layers are refused where is held against their gradients in gradientAudit.test.ts.
describe('refusals', () => {
  it('has none for what every backend trains', () => {
    expect(BACKENDS.flatMap((backend) => refusals(viewOf(network()), backend))).toEqual([]);
  });

  it('names every layer and the reason', () => {
    const both = viewOf(model(first(), l.softmax({ axis: 1, name: 'across' })));
    expect(refusals(both, 'wasm')).toEqual([expect.stringMatching(/'first'/), expect.stringMatching(/'across'/)]);
  });

  it('depends on the backend', () => {
    const refusing = BACKENDS.filter((backend) => refusals(viewOf(model(leaping())), backend).length > 0);
    expect(refusing).toEqual(['cpu', 'webgl', 'webgpu']);
    const transposed = l.conv3dTranspose({
      ...{ filters: 1, kernelSize: 1, strides: 2, padding: 'same', inputShape: [2, 2, 2, 1] },
    } as never);
    expect(BACKENDS.filter((backend) => refusals(viewOf(model(transposed)), backend).length > 0)).toEqual(refusing);
    const average = viewOf(model(l.averagePooling1d({ padding: 'same', inputShape: [5, 1] })));
    expect(BACKENDS.filter((backend) => refusals(average, backend).length > 0)).toEqual(['webgl', 'webgpu']);
  });

  it('takes the last axis by its number, too', () => {
    const normalized = (axis: number) =>
      refusals(viewOf(model(l.batchNormalization({ axis, inputShape: [4, 4, 2] }))), 'cpu').length;
    expect([-1, 1, 2, 3].map(normalized)).toEqual([0, 1, 1, 0]);
  });

  it('looks inside models and wrappers', () => {
    const inner = model(first());
    expect(refusals(viewOf(model(inner, l.flatten())), 'cpu')[0]).toContain("'first'");
    const wrapped = l.timeDistributed({ layer: first(), inputShape: [2, 1, 5, 5] });
    expect(refusals(viewOf(model(wrapped)), 'cpu')[0]).toContain("'first'");
    const rows = l.timeDistributed({ layer: l.batchNormalization({ axis: 1, name: 'rows' }), inputShape: [2, 5, 3] });
    expect(refusals(viewOf(model(rows)), 'cpu')[0]).toContain("'rows'");
    const softmax = (axis: number, layer = l.softmax({ axis, name: 'across' })) =>
      refusals(viewOf(model(l.timeDistributed({ layer, inputShape: [2, 5, 3] }))), 'cpu').length;
    expect([1, 2, -1].map((axis) => softmax(axis))).toEqual([1, 0, 0]);
    const twice = l.timeDistributed({ layer: l.softmax({ axis: 1 }) });
    expect(refusals(viewOf(model(l.timeDistributed({ layer: twice, inputShape: [2, 2, 5, 3] }))), 'cpu')).toHaveLength(
      1,
    );
  });
});

describe('checkTrainable', () => {
  it('accepts what can be trained', () => {
    for (const backend of BACKENDS) expect(() => checkTrainable(viewOf(network()), backend)).not.toThrow();
  });

  it('names the layer and where it can be trained', () => {
    expect(() => checkTrainable(viewOf(model(leaping())), 'cpu')).toThrow(/^The cpu .*'far'.*'wasm' or 'tensorflow'/);
    expect(() => checkTrainable(viewOf(model(first())), 'wasm')).toThrow(/^The wasm .*'first'.* No other backend/);
  });
});
