import { type InputOf, oneOf, optionTable } from '../core/options.js';
import type { FoldEnsemble, FoldModels } from './foldEnsemble.js';

export const ensembleOptions = optionTable('ensemble', {
  combine: oneOf('mean', 'vote')
    .default('mean')
    .describe("'mean' of the probabilities (numbers for regression), or the label that most models give."),
});

export type EnsembleOptions = InputOf<typeof ensembleOptions>;

/**
 * The models of all folds as one: kept in memory (`keepModels: 'memory'`) or saved (`keepModels: 'save'`). How well it
 * does is not what cross-validation estimated; `summary()` says so.
 *
 * @param results what `run` or `validate` gave
 * @throws {InvalidDataError} the results hold no models.
 * @example
 * const model = await ensemble(results);
 * const { predictions, probabilities } = await model.predict(newRows);
 */
export async function ensemble(results: FoldModels, input: EnsembleOptions = {}): Promise<FoldEnsemble> {
  const { combine } = ensembleOptions.resolve(input);
  const { ensembleOf } = await import('./calls.js');
  return ensembleOf(results, combine);
}
