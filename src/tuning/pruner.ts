import type { FrozenTrial } from '../core/tuningTrial.js';
import type { StudyView } from './sampler.js';

/** Ends trials early. It holds no state: all that it needs to know is in the study. */
export interface Pruner {
  readonly name: string;
  /**
   * What tuning reports: `progress`, the value so far, at steps that count folds or epochs; `folds`, the score of each
   * inner fold alone, at the place of that fold, so that trials can be compared fold by fold.
   */
  readonly reads: 'progress' | 'folds';
  /** Inner folds after which it can end a trial at the earliest, where it compares folds. */
  readonly fewestFolds?: number;
  /** Called after each report; `trial` holds the values that were reported. @hidden */
  shouldPrune(study: StudyView, trial: FrozenTrial): boolean;
}

/**
 * Ends no trial.
 *
 * @example
 * const study = new Study({ direction: 'minimize', pruner: new NoPruner(), randomState: 1 });
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
export class NoPruner implements Pruner {
  readonly name = 'none';
  readonly reads = 'progress';

  shouldPrune(): boolean {
    return false;
  }
}
