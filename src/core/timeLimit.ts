import { AbortError, CVKitError, phrase, sentence } from './errors.js';

/** Milliseconds that aborted work has to end by itself and to clean up. */
const GRACE = 200;

/** The same for a whole in which parts are given up, one after the other. */
const GRACE_OF_ALL = 5 * GRACE;

const LONGEST_INTERVAL = 2 ** 31 - 1;

/** As {@link orEnded}; nothing is begun once `signal` is aborted. */
export async function orAborted<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  return orEnded(signal, work);
}

/**
 * What `work` gives. Once `signal` is aborted its reason is thrown, after `grace` milliseconds at most. Work that goes on
 * then is given up: nobody waits for it, and an error of it goes nowhere. Until then the process stays alive, whatever
 * kind of signal it is.
 */
export async function orEnded<T>(signal: AbortSignal | undefined, work: () => T | Promise<T>, grace = GRACE) {
  if (!signal) return work();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort!: () => void;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason), grace);
    };
  });
  // Node does not wait for the timer of AbortSignal.timeout: without one of ours the process would end first.
  const awake = setInterval(() => undefined, LONGEST_INTERVAL);
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    clearInterval(awake);
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

/** Does work under a signal that is aborted with `signal` and after so many seconds. */
export async function within<T>(
  signal: AbortSignal | undefined,
  seconds: number | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const under = (ended: AbortSignal | undefined) => orEnded(ended, () => work(ended), GRACE_OF_ALL);
  if (seconds === undefined) return under(signal);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(lateFold('A fold', seconds)), seconds * 1000);
  try {
    return await under(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

export function lateFold(subject: string, seconds: number): CVKitError {
  const way = 'Raise `foldTimeout`, give the fold less to do, or see what in `fit` or `predict` never settles.';
  const got = phrase('one that goes on');
  return new CVKitError(sentence(subject, `end within ${seconds} s, its \`foldTimeout\``, got, way), {
    code: 'fold_timeout',
  });
}

export const isReason = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true && error === signal.reason;

export const asAborted = (error: unknown, signal: AbortSignal | undefined): unknown =>
  isReason(error, signal) ? new AbortError(error) : error;

export const isTimeout = (error: unknown): error is CVKitError =>
  error instanceof CVKitError && error.code === 'fold_timeout';
