import { describe, expect, it } from 'vitest';
import type { FrozenTrial } from '../../../src/core/tuningTrial.js';
import { WilcoxonPruner } from '../../../src/tuning/pruners/wilcoxonPruner.js';
import { checkPruner, completeTrials, replayed, trialOf } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

/** Whether a trial is pruned after folds 1, 2, ..., all of which it lost to the best one. */
const lost = (pruner: WilcoxonPruner, folds: number) => {
  const study = { direction: 'minimize', trials: completeTrials(new Array(folds).fill(1)) } as const;
  const reports = Array.from({ length: folds }, (_, at) => [at + 1, 2 + at] as const);
  return reports.map((_, at) => pruner.shouldPrune(study, trialOf(1, reports.slice(0, at + 1))));
};

/** Whether a trial with these scores, by the place of the fold, is pruned with three lost folds. */
function isPruned(trials: readonly FrozenTrial[], scores: Readonly<Record<number, number | null>>): boolean {
  const reports = Object.entries(scores).map(([place, score]) => [Number(place), score] as const);
  return new WilcoxonPruner({ pThreshold: 0.13 }).shouldPrune({ direction: 'minimize', trials }, trialOf(9, reports));
}

describe('WilcoxonPruner', () => {
  it.each(reference.wilcoxon.map((study, at) => [at, study] as const))(
    'decides as Optuna 5.0.0 after each report, study %i',
    (_, study) => {
      const pruner = new WilcoxonPruner(study.options);
      const { decisions, expected } = replayed(pruner.shouldPrune.bind(pruner), study);
      expect(decisions).toEqual(expected);
    },
  );

  it('reads folds, and knows no direction, no order and no state', () => {
    expect(new WilcoxonPruner().reads).toBe('folds');
    expect(checkPruner(new WilcoxonPruner({ pThreshold: 0.3 }))).toBeGreaterThan(20);
  });

  it.each([
    [{}, 4],
    [{ pThreshold: 0.13 }, 3],
    [{ pThreshold: 0.125 }, 4],
    [{ pThreshold: 0.26 }, 2],
    [{ pThreshold: 1, nStartupSteps: 0 }, 2],
    [{ pThreshold: 0.05 }, 5],
    [{ nStartupSteps: 6 }, 6],
  ])('with %o prunes after %i lost folds at the earliest', (options, fewest) => {
    const pruner = new WilcoxonPruner(options);
    expect(pruner.fewestFolds).toBe(fewest);
    expect(lost(pruner, 8)).toEqual(Array.from({ length: 8 }, (_, at) => at + 1 >= fewest));
  });

  it('pairs folds by their place, in whatever order they ran', () => {
    const best = completeTrials([1, 2, 3, 4, 5]);
    expect(isPruned(best, { 5: 5.1, 3: 3.2, 4: 4.3 })).toBe(true);
    expect(isPruned(best, { 5: 4.1, 3: 2.2, 4: 3.3 })).toBe(false);
    // A fold that the best trial has no score of.
    expect(isPruned(best, { 3: 3.2, 4: 4.3, 9: 99 })).toBe(false);
  });

  it('lets a trial go on whose mean is at least as good as that of the best, though it lost all folds', () => {
    expect(isPruned(completeTrials([1, 2, 3, 40]), { 1: 1.5, 2: 2.5, 3: 3.5 })).toBe(false);
    const best = completeTrials([1, 2, 3, 10]);
    expect(isPruned(best, { 1: 3, 2: 4, 3: 5 })).toBe(false);
    expect(isPruned(best, { 1: 3.125, 2: 4.125, 3: 5.125 })).toBe(true);
  });

  it('lets a trial go on where a score is no finite number', () => {
    const best = completeTrials([1, 2, 3, 4]);
    expect(isPruned(best, { 1: 3, 2: 4, 3: 5, 4: 6 })).toBe(true);
    expect(isPruned(best, { 1: 3, 2: 4, 3: 5, 4: null })).toBe(false);
    expect(isPruned(best, { 1: 3, 2: 4, 3: 5, 4: Infinity })).toBe(false);
    const intermediateValues = new Map([...best[0].intermediateValues, [5, Number.NaN]]);
    expect(isPruned([{ ...best[0], intermediateValues }], { 1: 4, 2: 5, 3: 6, 4: 7 })).toBe(false);
  });

  it('compares with the best complete trial, the first of equal ones', () => {
    const [first, second] = completeTrials([1, 2, 3], [3, 2, 1]);
    const own = { 1: 1.1, 2: 2.1, 3: 3.1 };
    expect(isPruned([second, first], own)).toBe(true);
    expect(isPruned([second], own)).toBe(false);
    expect(isPruned([{ ...first, state: 'pruned' }], own)).toBe(false);
  });

  it('refuses a threshold that never prunes', () => {
    expect(() => new WilcoxonPruner({ pThreshold: 0 })).toThrow(
      'The `pThreshold` option of WilcoxonPruner must be a number > 0 and <= 1. Got 0.',
    );
    expect(() => new WilcoxonPruner({ pThreshold: 1.1 })).toThrow(/`pThreshold`/);
    expect(() => new WilcoxonPruner({ nStartupSteps: -1 })).toThrow(/`nStartupSteps`/);
  });
});
