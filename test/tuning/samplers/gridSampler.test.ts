/** Every combination once, whatever else is tried. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Params, ParamValue } from '../../../src/core/tuningTrial.js';
import { GridSampler } from '../../../src/tuning/samplers/gridSampler.js';
import type { ParamGrid } from '../../../src/tuning/space.js';
import { Study } from '../../../src/tuning/study.js';
import type { Trial } from '../../../src/tuning/trial.js';
import { anyChoices } from '../../helpers/distributions.js';

const space = { k: ['a', 'b'], n: { low: 1, high: 3, step: 1 } } as const;
const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString', '0');
const anyGrid = fc
  .uniqueArray(fc.tuple(name, anyChoices), { minLength: 1, maxLength: 3, selector: ([key]) => key })
  .map((entries): ParamGrid => Object.fromEntries(entries));

/** Asks for all parameters, as the search of a record does. */
const asks = (grid: ParamGrid) => (trial: Trial) => {
  for (const [key, given] of Object.entries(grid)) {
    if (Array.isArray(given)) trial.suggestCategorical(key, given);
  }
  return 0;
};

/** What was tried, each as text. */
const tried = ({ trials }: Study) => trials.map(({ params }) => JSON.stringify(Object.entries(params)));

describe('GridSampler', () => {
  it('tries every combination, the last parameter changing fastest', async () => {
    const sampler = new GridSampler(space);
    expect([sampler.size, sampler.name, sampler.looksBack]).toEqual([6, 'grid', false]);
    const study = new Study({ sampler });
    const all: Params[] = [];
    while (!study.isExhausted) all.push(study.ask(space).params);
    expect(all).toEqual(['a', 'b'].flatMap((k) => [1, 2, 3].map((n) => ({ k, n }))));
  });

  it('gives each combination once, in any order and with any number of trials at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyGrid,
        fc.integer({ min: 1, max: 4 }),
        fc.option(fc.nat(99), { nil: undefined }),
        async (grid, parallelTrials, shuffle) => {
          const sampler = new GridSampler(grid, shuffle === undefined ? {} : { shuffle });
          const study = await new Study({ sampler }).optimize(asks(grid), { parallelTrials });
          expect(study.trials).toHaveLength(sampler.size);
          expect(new Set(tried(study)).size).toBe(sampler.size);
        },
      ),
    );
  });

  it('gives each combination once whatever was put in line', async () => {
    const places = fc.array(fc.array(fc.nat(), { maxLength: 3 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(anyGrid, places, async (grid, lines) => {
        const sampler = new GridSampler(grid);
        const study = new Study({ sampler });
        for (const line of lines) {
          const lists = Object.entries(grid) as [string, readonly ParamValue[]][];
          const some = lists.slice(0, line.length).map(([key, list], at) => [key, list[line[at] % list.length]]);
          study.enqueueTrial(Object.fromEntries(some));
        }
        await study.optimize(asks(grid), {});
        const [own, proposed] = [tried(study).slice(0, lines.length), tried(study).slice(lines.length)];
        expect(proposed).toHaveLength(sampler.size - new Set(own).size);
        expect(new Set([...own, ...proposed]).size).toBe(sampler.size);
      }),
    );
  });

  it('completes what was put in line with a combination that was not tried', async () => {
    const grid = { k: ['a', 'b'], m: [1, 2, 3] };
    const study = new Study({ sampler: new GridSampler(grid) });
    for (let at = 0; at < 2; at++) study.tell(study.ask(grid), 0);
    study.enqueueTrial({ m: 1 });
    expect(study.ask(grid).params).toEqual({ k: 'b', m: 1 });
    expect(study.ask(grid).params).toEqual({ k: 'a', m: 3 });
    for (let at = 0; at < 2; at++) study.ask(grid);
    expect(study.isExhausted).toBe(true);
  });

  it('is not ended by values that are none of its own', async () => {
    const sampler = new GridSampler({ x: [1, 2, 3] });
    const study = new Study({ sampler });
    for (const x of [0.5, 7, 9]) study.enqueueTrial({ x });
    await study.optimize((trial) => trial.suggestFloat('x', 0, 10), {});
    expect(study.trials.map(({ params }) => params.x)).toEqual([0.5, 7, 9, 1, 2, 3]);
  });

  it('goes on in its order after trials that failed before they asked', async () => {
    const objective = (trial: Trial) => {
      if (trial.number === 1) throw new Error('no memory');
      return trial.suggestCategorical('k', ['a', 'b', 'c']) === 'a' ? 1 : 0;
    };
    const sampler = new GridSampler({ k: ['a', 'b', 'c'] });
    const study = await new Study({ sampler }).optimize(objective, { nTrials: 10 });
    // The one that failed had 'b', as the study gave it to no other.
    expect(study.trials.map(({ params }) => params.k)).toEqual(['a', undefined, 'c']);
  });

  it('knows only its own parameters', async () => {
    const study = new Study({ sampler: new GridSampler({ k: [1] }) });
    expect(() => study.ask().suggestFloat('x', 0, 1)).toThrow(/'x' must be part of the grid. Got a grid of k/);
  });

  it.each<[string, ParamGrid, RegExp]>([
    ['a range without a step', { x: { low: 0, high: 1 } }, /counted. Got the range 0 to 1. Give a list or a `step`/],
    ['too many combinations', { x: { low: 0, high: 1e9, step: 1 } }, /at most 1000000 combinations. Got 1000000001/],
    ['none', {}, /at least one parameter/],
  ])('refuses %s', (_name, grid, message) => {
    expect(() => new GridSampler(grid)).toThrow(message);
  });
});
