import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import type { FrozenTrial } from '../../../src/core/tuningTrial.js';
import { bracketBudgets, bracketOf, HyperbandPruner } from '../../../src/tuning/pruners/hyperbandPruner.js';
import { checkPruner, completeTrials, replayed, trialOf } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

describe('HyperbandPruner', () => {
  it.each(reference.hyperband.map((study, at) => [at, study] as const))(
    'decides as Optuna 5.0.0 does with these brackets, study %i',
    (_, study) => {
      const pruner = new HyperbandPruner(study.options);
      const { decisions, expected } = replayed(pruner.shouldPrune.bind(pruner), study);
      expect(decisions).toEqual(expected);
      const { minResource, maxResource, reductionFactor } = study.options;
      expect(bracketBudgets(minResource, maxResource, reductionFactor)).toEqual(study.budgets);
    },
  );

  it('knows no direction, no order and no state', () => {
    expect(checkPruner(new HyperbandPruner({ maxResource: 9 }))).toBeGreaterThan(50);
    expect(checkPruner(new HyperbandPruner({ reductionFactor: 2 }))).toBeGreaterThan(50);
  });

  it("'auto' prunes nothing until a trial is complete, then by the last step that one reported", () => {
    const pruner = new HyperbandPruner({ minResource: 2 });
    const [first, second] = completeTrials([1, 1, 1], [0, 0]);
    // Alone with one that is better.
    const bad = trialOf(8, [[2, 9]]);
    const decide = (...trials: FrozenTrial[]) => pruner.shouldPrune({ direction: 'minimize', trials }, bad);
    expect(decide({ ...first, state: 'pruned' }, { ...second, state: 'failed' })).toBe(false);
    expect(decide(first)).toBe(true);
    expect(decide(second)).toBe(true);
    // One step more than 1 is 2, from where on nothing is pruned.
    expect(decide(...completeTrials([0]), { ...second, number: 1, state: 'pruned' })).toBe(false);
  });

  it('does not prune a trial that has reported everything', () => {
    const trials = completeTrials(...Array.from({ length: 20 }, () => new Array(9).fill(0)));
    const reports = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => [step, step === 9 ? 5 : 0] as const);
    for (const number of [20, 21, 22, 23, 24]) {
      const trial = trialOf(number, reports);
      expect(new HyperbandPruner({ maxResource: 9 }).shouldPrune({ direction: 'minimize', trials }, trial)).toBe(false);
    }
  });

  it('saves most steps of trials that run one after the other, and keeps a good one', () => {
    const random = randomSource(3);
    const pruner = new HyperbandPruner({ maxResource: 27 });
    const trials: FrozenTrial[] = [];
    const goals: number[] = [];
    let steps = 0;
    for (let number = 0; number < 100; number++) {
      const goal = random.random();
      goals.push(goal);
      const reports: [number, number][] = [];
      let state: FrozenTrial['state'] = 'complete';
      for (let step = 1; step <= 27 && state === 'complete'; step++) {
        reports.push([step, goal + (1 + 0.2 * random.random()) / step]);
        const trial = trialOf(number, reports);
        if (pruner.shouldPrune({ direction: 'minimize', trials: [...trials, trial] }, trial)) state = 'pruned';
      }
      steps += reports.length;
      trials.push(trialOf(number, reports, { state, value: reports[reports.length - 1][1] }));
    }
    expect(steps).toBeLessThan(0.5 * 2700);
    const complete = trials.filter(({ state }) => state === 'complete').map(({ number }) => goals[number]);
    expect(Math.min(...complete)).toBe(Math.min(...goals));
  });

  it('refuses options with which nothing could be pruned', () => {
    expect(() => new HyperbandPruner({ minResource: 9, maxResource: 9 })).toThrow(
      'The `maxResource` option of HyperbandPruner must be above `minResource`, which is 9. Got 9.',
    );
    expect(() => new HyperbandPruner({ maxResource: 1 })).toThrow(/be an integer >= 2, or 'auto'/);
    expect(() => new HyperbandPruner({ maxResource: 'most' as 'auto' })).toThrow(/be an integer >= 2, or 'auto'/);
    expect(() => new HyperbandPruner({ minResource: 0 })).toThrow(/`minResource`/);
    expect(() => new HyperbandPruner({ reductionFactor: 1 })).toThrow(/`reductionFactor`/);
  });
});

it('bracketBudgets has a bracket for each power, 3^5 too, in the proportions of the paper', () => {
  // Li et al. 2018, table 1: R = 81 and a factor of 3 begin with 81, 34, 15, 8 and 5 configurations.
  expect(bracketBudgets(1, 81, 3)).toEqual([81, 34, 15, 8, 5]);
  expect(bracketBudgets(1, 243, 3)).toHaveLength(6);
  expect(bracketBudgets(5, 6, 3)).toEqual([1]);
});

it('bracketOf gives each bracket its share of any stretch of trials', () => {
  const budgets = [9, 5, 3];
  for (const from of [0, 40, 100_000]) {
    const counts = [0, 0, 0];
    for (let number = from; number < from + 170; number++) counts[bracketOf(number, budgets)]++;
    for (const [bracket, budget] of budgets.entries()) expect(Math.abs(counts[bracket] - 10 * budget)).toBeLessThan(4);
  }
  expect(Array.from({ length: 10 }, (_, number) => bracketOf(number, budgets))).toEqual([0, 1, 0, 2, 0, 0, 1, 0, 2, 1]);
});
