/** What the functions of callers that take part in a step have in common. */
import { AdapterError, phrase, sentence, threw } from '../../src/core/errors.js';
import type { Tensor } from './structures.js';

/** The tensor of a single input or output; of several a record by name. */
export const byName = (names: readonly string[], tensors: readonly Tensor[]): Tensor | Record<string, Tensor> =>
  names.length === 1 ? tensors[0] : Object.fromEntries(names.map((name, at) => [name, tensors[at]]));

interface Called {
  /** Of the option that holds the function. */
  readonly name: string;
  /** What it must do, should it throw: "return a loss". */
  readonly must: string;
  readonly code: string;
}

/** What a function of the caller returns. Throws {@link AdapterError} that names it when it throws or is asynchronous. */
export function fromCaller<T>({ name, must, code }: Called, call: () => T): T {
  const subject = `The \`${name}\` function`;
  let result: T;
  try {
    result = call();
  } catch (error) {
    return threw(subject, must, code)(error);
  }
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return result;
  const why = 'be synchronous, because tensors and seeds live for one call';
  throw new AdapterError(sentence(subject, why, phrase('a promise')), { code });
}
