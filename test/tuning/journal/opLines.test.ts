import { describe, expect, it } from 'vitest';
import { distributionOf, externalOf, storedDistribution } from '../../../src/tuning/journal/opLines.js';

const stored = (name: string, attributes: object) => storedDistribution(JSON.stringify({ name, attributes }));
const read = (name: string, attributes: object) => distributionOf('x', stored(name, attributes));

describe('distributions of a journal', () => {
  // The attributes that `_asdict` of each class gives: optuna/distributions.py.
  it.each([
    ['FloatDistribution', { step: 0.5, low: 0, high: 1, log: false }, 'float', { step: 0.5, log: false }],
    ['IntDistribution', { log: true, step: 1, low: 1, high: 8 }, 'int', { step: 1, log: true }],
    ['UniformDistribution', { low: 0, high: 1 }, 'float', { step: null, log: false }],
    ['LogUniformDistribution', { low: 1, high: 10 }, 'float', { step: null, log: true }],
    ['DiscreteUniformDistribution', { low: 0, high: 1, q: 0.25 }, 'float', { step: 0.25, log: false }],
    ['IntUniformDistribution', { step: 2, low: 0, high: 4 }, 'int', { step: 2, log: false }],
    ['IntLogUniformDistribution', { step: 1, low: 1, high: 4 }, 'int', { step: 1, log: true }],
  ])('are read: %s', (name, attributes, kind, more) => {
    expect(read(name, attributes)).toEqual({ kind, low: attributes.low, high: attributes.high, ...more });
  });

  it('have one key where Optuna lets them share a name', () => {
    const key = (name: string, attributes: object) => stored(name, attributes).key;
    const choices = (...list: unknown[]) => key('CategoricalDistribution', { choices: list });
    expect(choices(true, 'a', [false])).toBe(choices(1, 'a', [0]));
    expect(choices(true)).not.toBe(choices('true'));
    expect(choices('a', 'b')).not.toBe(choices('b', 'a'));
    const range = { low: 0, high: 1, log: false, step: null };
    expect(key('FloatDistribution', range)).toBe(key('FloatDistribution', { ...range, high: 2, step: 0.5 }));
    expect(key('FloatDistribution', range)).not.toBe(key('UniformDistribution', range));
    expect(key('FloatDistribution', range)).not.toBe(key('FloatDistribution', { ...range, low: 0.5, log: true }));
    const withNaN = '{"name":"CategoricalDistribution","attributes":{"choices":[NaN,1]}}';
    expect(storedDistribution(withNaN).key).not.toBe(storedDistribution(withNaN.replace('NaN', 'null')).key);
    expect(externalOf(storedDistribution(withNaN), 0)).toBeNaN();
  });

  it.each([
    'null',
    '{"name":"Gauss","attributes":{}}',
    '{"name":"constructor","attributes":{}}',
    '{"type":"gauss","low":0}',
    '{"name":"FloatDistribution"}',
    '{"name":"CategoricalDistribution","attributes":{"choices":[]}}',
    '{"name"',
  ])('refuse what is none: %s', (text) => {
    expect(() => storedDistribution(text)).toThrow(SyntaxError);
  });
});
