import { InvalidOptionError, sentence } from './errors.js';

/** Whether a function of the caller (a factory, a method of a model, a hook) is being called at this moment. */

let depth = 0;

/** Calls a function of the caller. An asynchronous one counts until its first `await`: nobody can follow it further. */
export function callCaller<T>(work: () => T): T {
  depth++;
  try {
    return work();
  } finally {
    depth--;
  }
}

/** What a hook that may end something has returned: a wrong spelling of 'stop' would end nothing. */
export function stopOf(answer: unknown): 'stop' | undefined {
  if (answer === undefined || answer === 'stop') return answer;
  throw new InvalidOptionError(sentence('What a hook returns', "be 'stop' or nothing", answer), {
    code: 'invalid_hook',
  });
}

export const inCallerCode = (): boolean => depth > 0;
