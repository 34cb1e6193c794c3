import { LeakageError } from '../../core/errors.js';

/**
 * Whether an error is about all combinations rather than about the one at hand: an abort, or a leak in the folds that all
 * share.
 */
export const endsTheTable = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error as Error | undefined)?.name === 'AbortError' || error instanceof LeakageError;
