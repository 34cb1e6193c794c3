/** Work that may never end: a signal and a limit of time end it. */
import { CVKitError, phrase, sentence } from './errors.js';

/** Milliseconds that aborted work has to end by itself and to clean up. */
const GRACE = 200;

/** Of a whole in which parts of it are waited for so long, one after the other. */
export const GRACE_OF_ALL = 5 * GRACE;

/**
 * What `work` gives. Once `signal` is aborted its reason is thrown, after `grace` milliseconds at most. Work that goes on
 * then is given up: nobody waits for it, and an error of it goes nowhere.
 */
export async function orAborted<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
  grace = GRACE,
): Promise<T> {
  signal?.throwIfAborted();
  return orGivenUp(signal, work, grace);
}

/** The same for what is done in the end, also once `signal` is aborted. */
export async function orGivenUp<T>(
  signal: AbortSignal | undefined,
  work: () => T | Promise<T>,
  grace = GRACE,
): Promise<T> {
  if (!signal) return work();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort!: () => void;
  const givenUp = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), grace);
    };
  });
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work(), givenUp]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

/** Does the work of a fold under a signal that is aborted with `signal`, and after so many seconds. */
export async function within<T>(
  signal: AbortSignal | undefined,
  seconds: number | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (seconds === undefined) return work(signal);
  const limit = new AbortController();
  const late = sentence('A fold', `end within ${seconds} s, its \`foldTimeout\``, phrase('one that goes on'));
  const timer = setTimeout(() => limit.abort(new CVKitError(late, { code: 'fold_timeout' })), seconds * 1000);
  try {
    return await work(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Does work of a fold that hears of no signal, for so many seconds. */
export const limited = <T>(
  signal: AbortSignal | undefined,
  seconds: number | undefined,
  work: () => Promise<T>,
): Promise<T> => within(signal, seconds, (ended) => orAborted(ended, work));
