import { expect } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';

/**
 * What people read, by what brings it about: `Name (code): message` of the `CVKitError` that a call throws or rejects
 * with, or the string that it gives. For the snapshots of `messages.test.ts`. A call that gives neither fails.
 */
export async function texts(rows: Readonly<Record<string, () => unknown>>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [what, call] of Object.entries(rows)) {
    const given = await Promise.resolve()
      .then(call)
      .catch((error: unknown) => {
        if (!(error instanceof CVKitError)) throw new Error(`${what}: not an error of cvkit`, { cause: error });
        return `${error.name} (${error.code}): ${error.message}`;
      });
    if (typeof given !== 'string') throw new Error(`${what}: nothing was thrown, and no text was given`);
    found[what] = given;
  }
  return found;
}

/**
 * An error with this code whose message has each of these facts: names, values, row numbers. For `toThrow`; the wording
 * is in `messages.test.ts` of the room.
 */
export function refusal(code: string, ...facts: readonly (string | number)[]) {
  const whole = (fact: string | number) =>
    `(?=.*(?<![\\w.-])${String(fact).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w]|\\.\\d))`;
  const message = expect.stringMatching(new RegExp(`^${facts.map(whole).join('')}`));
  return expect.objectContaining({ code, message }) as Error;
}
