import { describe, expect, it } from 'vitest';
import { isLayersModel, layersWithin, override } from '../../../adapters/tfjs/structures.js';
import { NearestMean } from '../../helpers/nearestMean.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';

describe('isLayersModel', () => {
  it('knows sequential and functional models, empty ones too', () => {
    const input = tf.input({ shape: [2] });
    const outputs = tf.layers.dense({ units: 1 }).apply(input) as tf.SymbolicTensor;
    const functional = tf.model({ inputs: input, outputs });
    expect([network(), functional, tf.sequential()].map(isLayersModel)).toEqual([true, true, true]);
  });

  it('knows nothing else', () => {
    const graphModel = Object.create(tf.GraphModel.prototype);
    const others = [graphModel, new NearestMean(), tf.layers.dense({ units: 1 }), tf.train.adam(), {}, null, 'model'];
    expect(others.map(isLayersModel)).toEqual(others.map(() => false));
  });
});

it('layersWithin goes into models and wrappers', () => {
  const deep = tf.layers.dense({ name: 'deep', units: 2, inputShape: [3] });
  const inner = tf.sequential({ name: 'inner', layers: [deep] });
  const wrapper = tf.layers.timeDistributed({ name: 'times', layer: tf.layers.dense({ name: 'wrapped', units: 1 }) });
  const turn = tf.layers.reshape({ name: 'turn', targetShape: [2, 1] });
  const model = tf.sequential({ layers: [inner as never, turn, wrapper] });
  const names = [...layersWithin(viewOf(model))].map(({ name }) => name);
  expect(names).toEqual(['inner', 'deep', 'turn', 'times', 'wrapped']);
});

class Greeter {
  name?: string;
  greet() {
    return 'hello';
  }
}

describe('override', () => {
  it('replaces what is inherited, own or not there, and puts each back as it was', () => {
    const inherited = new Greeter();
    const own = Object.assign(new Greeter(), { greet: () => 'hi' });
    const hidden = Object.defineProperty({}, 'greet', { value: () => 'hush', writable: true, configurable: true });
    const targets = [inherited, own, hidden] as Greeter[];
    const before = targets.map((target) => Object.getOwnPropertyDescriptors(target));
    const restore = override(targets.map((target) => ({ target, properties: { greet: () => 'bye', extra: 1 } })));
    expect(targets.map((target) => target.greet())).toEqual(['bye', 'bye', 'bye']);
    restore();
    expect(targets.map((target) => Object.getOwnPropertyDescriptors(target))).toEqual(before);
    expect(targets.map((target) => target.greet())).toEqual(['hello', 'hi', 'hush']);
  });

  it('puts back what was first where a target is given twice', () => {
    const target = { value: 'first' };
    const restore = override(['second', 'third'].map((value) => ({ target, properties: { value } })));
    expect(target.value).toBe('third');
    restore();
    expect(target.value).toBe('first');
  });
});
