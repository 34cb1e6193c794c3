import { InvalidOptionError, sentence } from '../../src/core/errors.js';

/** The shape of a conformance suite: named cases bound to no test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an Error with one clear sentence when the member under test breaks the rule. */
  run(): void | Promise<void>;
}

/**
 * Refuses what a suite cannot test: nothing, or an object without the `parts` that it needs, each with the type that
 * `typeof` gives it.
 */
export function requireParts(suite: string, given: unknown, parts: Readonly<Record<string, string>>): void {
  const has = (name: string) => typeof (given as Record<string, unknown>)[name] === parts[name];
  if (typeof given === 'object' && given !== null && Object.keys(parts).every(has)) return;
  const wanted = Object.entries(parts).map(([name, type]) => `\`${name}\` (${type})`);
  throw new InvalidOptionError(sentence(suite, `be given an object with ${wanted.join(', ')}`, given));
}

/** Throws with `message` unless `condition` holds. */
export function ensure(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Runs `work` and gives what it threw, or undefined. */
export async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
