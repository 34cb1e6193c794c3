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

/** Ends no trial. */
export class NoPruner implements Pruner {
  readonly name = 'none';
  readonly reads = 'progress';

  shouldPrune(): boolean {
    return false;
  }
}
