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

export const inCallerCode = (): boolean => depth > 0;
