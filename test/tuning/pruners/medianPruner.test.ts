import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MedianPruner } from '../../../src/tuning/pruners/medianPruner.js';
import { anyStudy, checkPruner, completeTrials, replayed, trialOf } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

const within = (trials: ReturnType<typeof completeTrials>) => ({ direction: 'minimize' as const, trials });
const reported = (number: number, values: readonly number[]) =>
  trialOf(
    number,
    values.map((value, at) => [at + 1, value]),
  );

describe('MedianPruner', () => {
  it.each(reference.median.map((study, at) => [at, study] as const))(
    'decides as Optuna 5.0.0 after each report, study %i',
    (_, study) => {
      const pruner = new MedianPruner(study.options);
      const { decisions, expected } = replayed(pruner.shouldPrune.bind(pruner), study);
      expect(decisions).toEqual(expected);
    },
  );

  it('knows no direction, no order and no state', () => {
    expect(checkPruner(new MedianPruner({ nStartupTrials: 1 }))).toBeGreaterThan(100);
    expect(checkPruner(new MedianPruner({ nStartupTrials: 2, intervalSteps: 3, nMinTrials: 2 }))).toBeGreaterThan(30);
  });

  it('never prunes the best trial so far', () => {
    const pruner = new MedianPruner({ nStartupTrials: 0 });
    fc.assert(
      fc.property(anyStudy, fc.nat({ max: 8 }), ({ study: { trials } }, last) => {
        const lowest = (step: number) =>
          Math.min(0, ...trials.map(({ intermediateValues }) => intermediateValues.get(step) ?? 0).filter(Number));
        const values = Array.from({ length: last + 1 }, (_, at) => lowest(at + 1));
        expect(pruner.shouldPrune(within([...trials]), reported(trials.length, values))).toBe(false);
      }),
    );
  });

  it('compares the best value so far with the median at the step, of complete trials alone', () => {
    const pruner = new MedianPruner({ nStartupTrials: 3 });
    const study = within(completeTrials([5, 1], [5, 2], [5, 3]));
    const isPruned = (...values: number[]) => pruner.shouldPrune(study, reported(9, values));
    expect(isPruned(5)).toBe(false);
    expect(isPruned(5.1)).toBe(true);
    // Its first value was better than the median of the second step.
    expect(isPruned(2, 9)).toBe(false);
    expect(isPruned(2.5, 9)).toBe(true);
    // Nobody reported at step 3.
    expect(isPruned(9, 9, 9)).toBe(false);
    const pruned = completeTrials([0], [0], [0]).map((trial) => ({ ...trial, state: 'pruned' as const }));
    expect(pruner.shouldPrune(within([...study.trials, ...pruned]), trialOf(9, [[1, 4]]))).toBe(false);
    expect(pruner.shouldPrune(within(study.trials.slice(1)), trialOf(9, [[1, 9]]))).toBe(false);
  });

  it('refuses values that are none', () => {
    expect(() => new MedianPruner({ intervalSteps: 0 })).toThrow(
      'The `intervalSteps` option of MedianPruner must be an integer >= 1. Got 0.',
    );
    expect(() => new MedianPruner({ nMinTrials: 0 })).toThrow(/`nMinTrials`/);
    expect(() => new MedianPruner({ nStartupTrials: -1 })).toThrow(/`nStartupTrials`/);
    expect(() => new MedianPruner({ nWarmupSteps: 0.5 })).toThrow(/`nWarmupSteps`/);
  });
});
