import type { EnsembleOptions, FoldEnsemble, FoldModels } from './keptModels.js';

export type { EnsembleOptions } from './keptModels.js';

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
  const { ensembleOf } = await import('./keptModels.js');
  return ensembleOf(results, input);
}
