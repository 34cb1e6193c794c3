/** What the functions of callers that take part in a step have in common. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import type { Tensor } from './structures.js';

/** The tensor of a single input or output; of several a record by name. */
export const byName = (names: readonly string[], tensors: readonly Tensor[]): Tensor | Record<string, Tensor> =>
  names.length === 1 ? tensors[0] : Object.fromEntries(names.map((name, at) => [name, tensors[at]]));

/** Throws {@link AdapterError} with `code` when the function called `name` has returned a promise. */
export function checkSynchronous(name: string, result: unknown, code: string): void {
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return;
  throw new AdapterError(
    sentence(`The \`${name}\` function`, 'be synchronous, because tensors and seeds live for one call', {
      text: 'a promise',
    }),
    { code },
  );
}
