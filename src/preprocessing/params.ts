/** Other options for a step: what every step needs to be made again with some of its options changed. */

import { CVKitError, InvalidOptionError, show } from '../core/errors.js';
import { STEP_MARK } from '../core/names.js';
import type { OptionShape, OptionTable } from '../core/options.js';

/** Options by name; those of a step within others by the names of both: `scale__withMean`. */
export type Params = Readonly<Record<string, unknown>>;

/** What a step that is made again with other options needs to know where it holds others, or is held. */
export interface Changing {
  /** Names of the steps around it and its own; empty for one that stands alone. */
  readonly path: readonly string[];
  /** What is held in place of a step whose options stay. */
  // biome-ignore lint/suspicious/noExplicitAny: steps of callers are not known here
  same(step: any): any;
  /** What is held in place of a step of the caller that has `setParams`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  foreign(step: any, params: Params, path: readonly string[]): any;
}

/** Options with some replaced, in any spelling: to be resolved again. */
export function optionsWith<S extends OptionShape>(table: OptionTable<S>, options: object, params: Params): Params {
  const replaced = new Set<string | undefined>(Object.keys(params).map((name) => table.canonical(name)));
  const kept = Object.entries(options).filter(([name]) => !replaced.has(table.canonical(name)));
  return { ...Object.fromEntries(kept), ...params };
}

/** Does `work`; its errors name the step, where it is one within others. */
export function inStep<T>(path: readonly string[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (path.length === 0 || !(error instanceof CVKitError)) throw error;
    throw new InvalidOptionError(`In the step ${show(path.join(STEP_MARK))}: ${error.message}`, {
      code: error.code,
      cause: error,
    });
  }
}
