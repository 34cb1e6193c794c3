import { describe, expect, it } from 'vitest';
import { isLayersModel, override } from '../../../adapters/tfjs/structures.js';
import { tf } from '../../helpers/tfjsModels.js';

it('isLayersModel knows models, empty ones too, and no layer, optimizer or graph model', () => {
  expect(isLayersModel(tf.sequential())).toBe(true);
  const graphModel = Object.create(tf.GraphModel.prototype);
  const others = [graphModel, tf.layers.dense({ units: 1 }), tf.train.adam(), {}, null, 'model'];
  expect(others.map(isLayersModel)).toEqual(others.map(() => false));
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
