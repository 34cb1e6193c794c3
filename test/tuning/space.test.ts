/** `paramGrid` as it is written, read once. */
import { describe, expect, it } from 'vitest';
import { recordSpace, spaceOf } from '../../src/tuning/space.js';
import { Study } from '../../src/tuning/study.js';

describe('a record', () => {
  it('has whole numbers where the lower bound and the step are whole', () => {
    const { n, x, up, k } = recordSpace({
      n: { low: 1, high: 3.7, step: 1.0 },
      x: { low: 0, high: 1, step: 0.1 },
      up: { low: 1, high: 9 },
      k: ['a'],
    });
    expect(n).toEqual({ kind: 'int', low: 1, high: 3, log: false, step: 1 });
    expect(x).toMatchObject({ kind: 'float', step: 0.1 });
    expect(up).toMatchObject({ kind: 'float', step: null });
    expect(k).toEqual({ kind: 'categorical', choices: ['a'] });
  });

  it('asks a trial for all of it, whatever the names', () => {
    const space = spaceOf(JSON.parse('{ "__proto__": [1], "constructor": [2], "x": { "low": 3, "high": 3 } }'));
    const params = space.paramsOf(new Study({ sampler: 'random' }).ask());
    expect(Object.entries(params)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['x', 3],
    ]);
    expect(space.restored(params, 0)).toBe(params);
  });

  it.each<[string, unknown, RegExp]>([
    ['null', { x: null }, /list of choices or \{ low, high, log\?, step\? \}. Got null/],
    ['a date', { x: new Date(0) }, /Got 1970/],
    ['half a range', { x: { low: 0 } }, /Got \{ low \}/],
    ['a range with more', { x: { low: 0, high: 1, q: 1 } }, /Got \{ low, high, q \}/],
    ['a typed array', { x: new Float64Array(2) }, /Got a Float64Array/],
    ['NaN as a step', { x: { low: 0, high: 1, step: Number.NaN } }, /`step` above 0. Got NaN/],
    ['a map', new Map([['x', [1]]]), /`paramGrid` must be a record/],
  ])('cannot have %s', (_name, grid, message) => {
    expect(() => recordSpace(grid as never)).toThrow(message);
  });
});

describe('a function', () => {
  it('gives what the model needs, again from the values that were asked for', () => {
    const space = spaceOf((trial) => {
      const depth = trial.suggestInt('depth', 1, 4);
      return {
        layers: Array.from({ length: depth }, (_, at) => trial.suggestInt(`units_${at}`, 1, 64)),
        of: trial.number,
      };
    });
    const study = new Study({ sampler: 'random' });
    const trial = study.ask();
    const params = space.paramsOf(trial);
    expect(space.restored(trial.params, trial.number)).toEqual(params);
    expect(space.distributions).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    ['a promise', Promise.resolve({}), /Got a promise/],
    ['nothing', undefined, /Got undefined/],
    ['a list', [1], /Got \[1\]/],
    ['a model', { model: () => 1 }, /Got a function as `model`|Got the function model as `model`/],
    ['a date', { from: new Date(0) }, /as `from`/],
  ])('cannot give %s', (_name, given, message) => {
    const { paramsOf } = spaceOf((() => given) as never);
    expect(() => paramsOf(new Study({ sampler: 'random' }).ask())).toThrow(message);
  });
});
