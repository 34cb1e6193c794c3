import { describe, expect, it } from 'vitest';
import { isSampler, prunerOf, samplerOf } from '../../src/tuning/named.js';
import type { Pruner } from '../../src/tuning/pruner.js';
import { GridSampler } from '../../src/tuning/samplers/gridSampler.js';
import { RandomSampler } from '../../src/tuning/samplers/randomSampler.js';
import { thrown } from '../helpers/thrown.js';

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

describe('prunerOf', () => {
  it('makes the pruner of each name, which it bears', () => {
    for (const name of ['none', 'median', 'hyperband', 'wilcoxon'] as const) {
      expect(prunerOf(name).name).toBe(name);
      expect(prunerOf(name).reads).toBe(name === 'wilcoxon' ? 'folds' : 'progress');
    }
  });

  it('takes an object that prunes as it is', () => {
    const pruner: Pruner = { name: 'mine', reads: 'progress', shouldPrune: () => true };
    expect(prunerOf(pruner)).toBe(pruner);
  });

  it('refuses anything else, with the nearest name', async () => {
    expect(await thrown(() => prunerOf('hyperbound' as never))).toBe(
      "InvalidOptionError (unknown_pruner): The `pruner` option must be 'none', 'median', 'hyperband', 'wilcoxon' or an " +
        "object with `shouldPrune`. Got 'hyperbound'. Did you mean 'hyperband'?",
    );
    expect(await thrown(() => prunerOf('x'.repeat(30) as never))).toMatch(/Known: none, median/);
    expect(await thrown(() => prunerOf('toString' as never))).toMatch(/unknown_pruner/);
    expect(await thrown(() => prunerOf({ prune: () => true } as unknown as Pruner))).toMatch(
      /an object with the keys prune/,
    );
  });
});
