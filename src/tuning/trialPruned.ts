import { CVKitError } from '../core/errors.js';

/**
 * Thrown by an objective to end its trial early: the trial counts as pruned, and the study goes on.
 *
 * @example
 * trial.report(loss, epoch);
 * if (trial.shouldPrune()) throw new TrialPruned();
 */
export class TrialPruned extends CVKitError {
  constructor(message = 'The trial was pruned.') {
    super(message, { code: 'trial_pruned' });
  }
}
