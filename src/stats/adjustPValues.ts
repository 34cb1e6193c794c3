import { InvalidDataError, sentence } from '../core/errors.js';
import { type InputOf, oneOf, optionTable } from '../core/options.js';
import { falseDiscovery } from '../core/pValues.js';

export const adjustPValuesOptions = optionTable('adjustPValues', {
  method: oneOf('holm', 'bonferroni', 'benjamini_hochberg')
    .default('holm')
    .describe(
      "'holm' and 'bonferroni' bound the chance of any false finding, 'benjamini_hochberg' the share of false ones.",
    ),
});

export type AdjustPValuesOptions = InputOf<typeof adjustPValuesOptions>;

/**
 * p-values corrected for their number, as R's `p.adjust`. Null stays null and does not count.
 *
 * Source: Holm 1979, Scandinavian Journal of Statistics 6:65; Benjamini & Hochberg 1995, JRSS B 57:289.
 *
 * @throws {InvalidDataError} an entry that is no number from 0 to 1.
 * @example
 * console.log(adjustPValues([0.01, 0.04, 0.03]));
 */
export function adjustPValues(
  pValues: readonly (number | null)[],
  input: AdjustPValuesOptions = {},
): (number | null)[] {
  const { method } = adjustPValuesOptions.resolve(input);
  if (!Array.isArray(pValues)) {
    throw new InvalidDataError(sentence('The p-values of adjustPValues', 'be an array', pValues));
  }
  const invalid = pValues.findIndex((p) => p !== null && !(typeof p === 'number' && p >= 0 && p <= 1));
  if (invalid >= 0)
    throw new InvalidDataError(sentence(`p-value ${invalid}`, 'be a number from 0 to 1, or null', pValues[invalid]));
  if (method === 'benjamini_hochberg') return falseDiscovery(pValues);
  const known = pValues.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 0;
  known.forEach(({ p, at }, rank) => {
    // By Holm never smaller than that of a smaller p-value.
    least = Math.max(least, (known.length - rank) * p);
    adjusted[at] = Math.min(1, method === 'holm' ? least : known.length * p);
  });
  return adjusted;
}
