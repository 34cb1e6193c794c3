import { CVKitError } from '../core/errors.js';

/**
 * Thrown by an objective to end its trial early: the trial counts as pruned, and the study goes on.
 *
 * @example
 * const study = new Study({ direction: 'minimize', pruner: 'median', randomState: 1 });
 * await study.optimize((trial) => {
 *   const rate = trial.suggestFloat('rate', 0.01, 1, { log: true });
 *   for (let epoch = 0; epoch < 10; epoch++) {
 *     trial.report(1 / (1 + rate * epoch), epoch);
 *     if (trial.shouldPrune()) throw new TrialPruned();
 *   }
 *   return 1 / (1 + rate * 10);
 * }, { nTrials: 20 });
 * console.log(study.trials.filter(({ state }) => state === 'pruned').length, 'of 20 trials were stopped');
 */
export class TrialPruned extends CVKitError {
  constructor(message = 'The trial was pruned.') {
    super(message, { code: 'trial_pruned' });
  }
}
