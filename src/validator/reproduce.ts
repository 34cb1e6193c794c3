import type { ReproduceOptions, Reproduction } from './reproduction.js';

/**
 * Repeats the run that a manifest tells of, and compares. Options that the manifest holds as plain values are taken from it;
 * data, models, functions and instances are to be given, and are compared by their hashes. Other data end it before anything
 * is trained.
 *
 * @param manifest `manifest` of a `ValidationResult`, or `metadata` of `CVResults` (for a search, of its `results`); also as
 *   read from JSON
 * @param options what `run`, `validate`, `fitValidate` or `runWithHyperparameterTuning` and the constructor were given; for
 *   `run` and the search `X`, `y` and what comes beside them may stand in the place of `data`
 * @throws {InvalidOptionError} `not_reproducible`: a manifest without options, as `evaluate` and earlier versions write it.
 *   `missing_option`: an option that the manifest holds as a hash alone is not given.
 * @example
 * const again = await reproduce(JSON.parse(text), { model, X, y, preprocessing });
 * console.log(again.reproduced);
 */
export async function reproduce(manifest: object, options: ReproduceOptions): Promise<Reproduction> {
  const { reproduction } = await import('./reproduction.js');
  return reproduction(manifest, options);
}
