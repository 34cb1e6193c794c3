import { Hasher } from '../core/fingerprint.js';
import { type InputOf, oneOf, optionTable } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import type { Label } from './encode.js';

/** Digits of a pseudonym; more where two ids would share one. */
const DIGITS = 8;

/**
 * Salted hashes: the same for one id (1 and '1' are one), another for every other id.
 *
 * @param salt that of a run directory; else one that is kept nowhere
 */
export function pseudonyms(salt: Int32Array = Int32Array.from({ length: 4 }, freshSeed)): (id: Label) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (id) => {
    const known = names.get(String(id));
    if (known) return known;
    const digest = new Hasher().words(salt).text(String(id)).digest();
    let digits = DIGITS;
    while (taken.has(digest.slice(0, digits)) && digits < digest.length) digits++;
    const name = `#${digest.slice(0, digits)}`;
    taken.add(digest.slice(0, digits));
    names.set(String(id), name);
    return name;
  };
}

export const resultJSONOptions = optionTable('toJSON', {
  ids: oneOf('pseudonyms', 'raw')
    .default('pseudonyms')
    .describe("Ids of patients as in the checks of the same result, or 'raw', as they were given."),
});

export type ResultJSONOptions = InputOf<typeof resultJSONOptions>;

/** `JSON.stringify` hands the name of the property to `toJSON`, which is no option. What JSON cannot hold is text. */
export function idsIn(
  input: ResultJSONOptions | string | undefined,
  nameOf: (id: Label) => string,
): (id: unknown) => unknown {
  const { ids } = resultJSONOptions.resolve(typeof input === 'string' ? {} : input);
  if (ids === 'pseudonyms') return (id) => nameOf(id as Label);
  return (id) => (typeof id === 'bigint' ? String(id) : id instanceof Date ? id.toISOString() : id);
}
