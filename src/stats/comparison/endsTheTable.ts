import { LeakageError } from '../../core/errors.js';
import { ImpliedTask } from '../../runner/impliedTask.js';

/**
 * Whether an error is about all combinations rather than about the one at hand: an abort, a leak in the folds that all
 * share, or labels that are to be read again as numbers.
 */
export const endsTheTable = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true ||
  (error as Error | undefined)?.name === 'AbortError' ||
  error instanceof LeakageError ||
  error instanceof ImpliedTask;
