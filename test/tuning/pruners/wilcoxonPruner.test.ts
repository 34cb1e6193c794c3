import { describe, expect, it } from 'vitest';
import { WilcoxonPruner } from '../../../src/tuning/pruners/wilcoxonPruner.js';
import { checkPruner, completeTrials, replayed, trialOf } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

/** Whether a trial is pruned after folds 1, 2, ..., all of which it lost to the best one. */
const lost = (pruner: WilcoxonPruner, folds: number) => {
  const study = { direction: 'minimize', trials: completeTrials(new Array(folds).fill(1)) } as const;
  const reports = Array.from({ length: folds }, (_, at) => [at + 1, 2 + at] as const);
  return reports.map((_, at) => pruner.shouldPrune(study, trialOf(1, reports.slice(0, at + 1))));
};

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
    const pruner = new WilcoxonPruner({ pThreshold: 0.13 });
    const trials = completeTrials([1, 2, 3, 4, 5]);
    const worse = [
      [5, 5.1],
      [3, 3.2],
      [4, 4.3],
    ] as const;
    expect(pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(1, worse))).toBe(true);
    const better = worse.map(([place, value]) => [place, value - 1] as const);
    expect(pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(1, better))).toBe(false);
    // A fold that the best trial has no score of.
    const elsewhere = [...worse.slice(1), [9, 99] as const];
    expect(pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(1, elsewhere))).toBe(false);
  });

  it('lets a trial go on whose mean is better than that of the best, though it lost all folds', () => {
    const pruner = new WilcoxonPruner({ pThreshold: 0.13 });
    const trials = completeTrials([1, 2, 3, 40]);
    const reports = [1, 2, 3].map((place) => [place, place + 0.5] as const);
    expect(pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(1, reports))).toBe(false);
  });

  it('lets a trial go on whose mean equals that of the best', () => {
    const trials = completeTrials([1, 2, 3, 10]);
    const reports = [1, 2, 3].map((place) => [place, place + 2] as const);
    const pruner = new WilcoxonPruner({ pThreshold: 0.13 });
    const isPruned = (more: number) => {
      const shifted = reports.map(([place, value]) => [place, value + more] as const);
      return pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(1, shifted));
    };
    expect(isPruned(0)).toBe(false);
    expect(isPruned(0.125)).toBe(true);
  });

  it('lets a trial go on where a score is no finite number', () => {
    const pruner = new WilcoxonPruner({ pThreshold: 0.13 });
    const reports = [1, 2, 3, 4].map((place) => [place, place + 2] as const);
    const isPruned = (own: readonly (readonly [number, number | null])[], best: readonly number[]) =>
      pruner.shouldPrune({ direction: 'minimize', trials: completeTrials(best) }, trialOf(1, own));
    expect(isPruned(reports, [1, 2, 3, 4])).toBe(true);
    expect(isPruned([...reports.slice(0, 3), [4, null]], [1, 2, 3, 4])).toBe(false);
    expect(isPruned([...reports.slice(0, 3), [4, Infinity]], [1, 2, 3, 4])).toBe(false);
    const withNaN = {
      ...completeTrials([1, 2, 3, 4])[0],
      intermediateValues: trialOf(0, [...reports, [5, null]]).intermediateValues,
    };
    const worse = reports.map(([place, value]) => [place, value + 1] as const);
    expect(pruner.shouldPrune({ direction: 'minimize', trials: [withNaN] }, trialOf(1, worse))).toBe(false);
  });

  it('compares with the best complete trial, the first of equal ones', () => {
    const pruner = new WilcoxonPruner({ pThreshold: 0.13 });
    const [first, second] = completeTrials([1, 2, 3], [3, 2, 1]);
    const reports = [...first.intermediateValues].map(([at, value]) => [at, value + 0.1] as const);
    const isPruned = (...trials: (typeof first)[]) =>
      pruner.shouldPrune({ direction: 'minimize', trials }, trialOf(2, reports));
    expect(isPruned(second, first)).toBe(true);
    expect(isPruned(second)).toBe(false);
    expect(isPruned({ ...first, state: 'pruned' })).toBe(false);
  });

  it('refuses a threshold that never prunes', () => {
    expect(() => new WilcoxonPruner({ pThreshold: 0 })).toThrow(
      'The `pThreshold` option of WilcoxonPruner must be a number > 0 and <= 1. Got 0.',
    );
    expect(() => new WilcoxonPruner({ pThreshold: 1.1 })).toThrow(/`pThreshold`/);
    expect(() => new WilcoxonPruner({ nStartupSteps: -1 })).toThrow(/`nStartupSteps`/);
  });
});
