import { median } from '../../core/median.js';
import { type InputOf, integer, optionTable } from '../../core/options.js';
import { recordable } from '../../core/recordable.js';
import type { FrozenTrial } from '../../core/tuningTrial.js';
import type { Pruner } from '../pruner.js';
import type { StudyView } from '../sampler.js';

export const medianPrunerOptions = optionTable('MedianPruner', {
  nStartupTrials: integer({ min: 0 }).default(5).describe('Complete trials before which none is pruned.'),
  nWarmupSteps: integer({ min: 0 })
    .default(0)
    .describe('A trial is not pruned at steps below this one. Steps of tuning count from 1.'),
  intervalSteps: integer({ min: 1 })
    .default(1)
    .describe(
      'Steps from one decision to the next, from `nWarmupSteps` on; without a report at such a step, the next report decides.',
    ),
  nMinTrials: integer({ min: 1 })
    .default(1)
    .describe('Complete trials that must have reported at a step, for a trial to be pruned there.'),
});

export type MedianPrunerOptions = InputOf<typeof medianPrunerOptions>;

/**
 * Ends a trial whose best value so far is worse than the median of what complete trials reported at the same step. Trials
 * that were pruned or failed do not count, nor does NaN; a trial that reported NaN alone is pruned.
 *
 * As the mean over inner folds moves with the folds, all trials run their folds in one order.
 *
 * Source: Golovin et al. 2017, KDD, section 3.2 (there against the mean up to the step; here as `MedianPruner` of Optuna 5,
 * against the value at the step).
 *
 * @example
 * const study = new Study({ direction: 'minimize', pruner: new MedianPruner({ nStartupTrials: 5, nWarmupSteps: 3 }), randomState: 1 });
 * await study.optimize((trial) => {
 *   const rate = trial.suggestFloat('rate', 0.01, 1);
 *   for (let epoch = 0; epoch < 20; epoch++) {
 *     trial.report(1 / (1 + rate * epoch), epoch);
 *     if (trial.shouldPrune()) throw new TrialPruned();
 *   }
 *   return 1 / (1 + rate * 20);
 * }, { nTrials: 20 });
 * console.log(study.trials.filter(({ state }) => state === 'pruned').length, 'of 20 trials were stopped');
 */
export class MedianPruner implements Pruner {
  readonly name = 'median';
  readonly reads = 'progress';
  readonly #options;

  constructor(input: MedianPrunerOptions = {}) {
    this.#options = recordable(this, medianPrunerOptions.resolve(input));
  }

  shouldPrune({ direction, trials }: StudyView, { intermediateValues }: FrozenTrial): boolean {
    const { nStartupTrials, nWarmupSteps, nMinTrials } = this.#options;
    const complete = trials.filter(({ state }) => state === 'complete');
    const steps = [...intermediateValues.keys()];
    const step = steps.at(-1);
    if (step === undefined || complete.length === 0 || complete.length < nStartupTrials) return false;
    if (step < nWarmupSteps || !this.#decidesAt(step, steps.at(-2))) return false;
    const loss = (value: number) => (direction === 'minimize' ? value : -value);
    const own = [...intermediateValues.values()].filter(isValue).map(loss);
    if (own.length === 0) return true;
    const there = complete.flatMap(({ intermediateValues: values }) => values.get(step) ?? []);
    const others = there.filter(isValue).map(loss);
    if (there.length < nMinTrials || others.length === 0) return false;
    return Math.min(...own) > median(Float64Array.from(others));
  }

  #decidesAt(step: number, before = -1): boolean {
    const { nWarmupSteps, intervalSteps } = this.#options;
    const due = nWarmupSteps + Math.floor((step - nWarmupSteps) / intervalSteps) * intervalSteps;
    return before < due;
  }
}

const isValue = (value: number): boolean => !Number.isNaN(value);
