import { describe, expect, it } from 'vitest';
import type { Pruner } from '../../../src/tuning/pruner.js';
import { type PrunerName, prunerOf } from '../../../src/tuning/pruners/prunerOf.js';
import { thrown } from '../../helpers/thrown.js';

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
    expect(await thrown(() => prunerOf('hyperbound' as PrunerName))).toBe(
      "InvalidOptionError (unknown_pruner): The `pruner` option must be 'none', 'median', 'hyperband', 'wilcoxon' or an " +
        "object with `shouldPrune`. Got 'hyperbound'. Did you mean 'hyperband'?",
    );
    expect(await thrown(() => prunerOf('x'.repeat(30) as PrunerName))).toMatch(/Known: none, median/);
    expect(await thrown(() => prunerOf('toString' as PrunerName))).toMatch(/unknown_pruner/);
    expect(await thrown(() => prunerOf({ prune: () => true } as unknown as Pruner))).toMatch(
      /an object with the keys prune/,
    );
  });
});
