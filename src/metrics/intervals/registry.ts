/** The interval methods that `ciMethod` names. */
import { correctedT } from './correctedT.js';
import { type Interval, type IntervalInput, type IntervalMethod, joinNotes } from './interval.js';
import type { IntervalMethodName } from './methodNames.js';
import { oofBootstrap } from './oofBootstrap.js';

/** Interval methods by name. */
export const intervalMethods: Readonly<Record<IntervalMethodName, IntervalMethod>> = {
  bootstrap,
  oof_bootstrap: oofBootstrap,
  corrected_t: correctedT,
};

/**
 * The `oof_bootstrap` interval about these predictions, with a note: it stands in for the calibrated interval about the
 * training procedure, which is not available yet.
 */
function bootstrap(input: IntervalInput): Interval {
  const interval = oofBootstrap(input);
  if (interval.lower === null) return { ...interval, method: 'bootstrap' };
  const about =
    'This is the oof_bootstrap interval about these predictions; one about the procedure is not available yet.';
  return { ...interval, method: 'bootstrap', ...joinNotes(about, interval.note) };
}
