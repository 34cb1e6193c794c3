/** Who proposes parameters. Any other library plugs in here. */

import type { RandomSource } from '../core/random.js';
import type { Distribution, FrozenTrial, Params, ParamValue } from '../core/tuningTrial.js';

/** A study as samplers and pruners see it. */
export interface StudyView {
  readonly direction: 'minimize' | 'maximize';
  /** The other trials that it may know of, in the order of their numbers; those that go on have no reports. */
  readonly trials: readonly FrozenTrial[];
}

/** The trial that parameters are drawn for. */
export interface TrialView {
  readonly number: number;
  /** Parameters that are known already: drawn before, or fixed by the caller. */
  readonly params: Params;
  /** A stream that depends on the seed of the study and the number of the trial alone. Draw from nothing else. */
  readonly random: RandomSource;
}

/**
 * Proposes parameters. It should hold no state: all that it needs to know is in the study, so that a study that is resumed
 * goes on as if it had never stopped.
 */
export interface Sampler {
  readonly name: string;
  /** What it proposes depends on earlier trials. Where it does not, trials may run at once without changing the result. */
  readonly looksBack: boolean;
  /** Trials that are drawn at random before it looks back. */
  readonly nStartupTrials?: number;
  /** Called once at the start of each trial: values of parameters that are drawn together. Others are left to `sample`. @hidden */
  sampleTogether?(study: StudyView, trial: TrialView): Params;
  /** The value of one parameter, when the trial asks for it and `sampleTogether` gave none. @hidden */
  sample(study: StudyView, trial: TrialView, name: string, distribution: Distribution): ParamValue;
  /** True when nothing is left to be tried. @hidden */
  isExhausted?(study: StudyView): boolean;
}
