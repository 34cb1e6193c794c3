/** Work that may never end: a signal and a limit of time end it. */
import { CVKitError, phrase, sentence } from './errors.js';

/** Milliseconds that aborted work has to end by itself and to clean up. */
const GRACE = 200;

/**
 * What `work` gives. Once `signal` is aborted its reason is thrown, a fifth of a second later at most. Work that goes on
 * then is given up: nobody waits for it, and an error of it goes nowhere.
 */
export async function orAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  if (!signal) return work();
  signal.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort!: () => void;
  const givenUp = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), GRACE);
    };
  });
  signal.addEventListener('abort', onAbort);
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
