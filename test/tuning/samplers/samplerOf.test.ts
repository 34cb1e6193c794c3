import { describe, expect, it } from 'vitest';
import { GridSampler } from '../../../src/tuning/samplers/gridSampler.js';
import { RandomSampler } from '../../../src/tuning/samplers/randomSampler.js';
import { isSampler, samplerOf } from '../../../src/tuning/samplers/samplerOf.js';

describe('samplerOf', () => {
  it('makes samplers by name, and takes any object with `sample`', () => {
    expect(samplerOf('random')).toBeInstanceOf(RandomSampler);
    expect(samplerOf('tpe').name).toBe('tpe');
    const own = { name: 'own', looksBack: false, sample: () => 1 };
    expect(samplerOf(own)).toBe(own);
    expect([isSampler(own), isSampler(null), isSampler('random')]).toEqual([true, false, false]);
  });

  it('makes a grid where the space is known', () => {
    const grid = new GridSampler({ k: [1] });
    expect(samplerOf('grid', () => grid)).toBe(grid);
    expect(() => samplerOf('grid')).toThrow(/Got 'grid'. Use new GridSampler\(space\)/);
  });

  it.each<[unknown, RegExp]>([
    ['tpa', /be 'random', 'tpe' or an object with `sample`. Got 'tpa'. Did you mean 'tpe'/],
    ['constructor', /Got 'constructor'/],
    [RandomSampler, /Got the function RandomSampler/],
    [null, /Got null/],
    [{ sample: 1 }, /an object with the keys sample/],
  ])('refuses %s', (given, message) => {
    expect(() => samplerOf(given as never)).toThrow(message);
    expect(() => samplerOf(given as never)).toThrow(expect.objectContaining({ code: 'unknown_sampler' }));
  });
});
