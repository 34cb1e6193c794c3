import type { EnsembleOptions, FoldEnsemble } from './foldEnsemble.js';
import type { FoldModels } from './keptModels.js';
import type { SavedPlace } from './modelFolder.js';

export type { EnsembleOptions } from './foldEnsemble.js';

/**
 * The models of all folds as one: kept in memory (`keepModels: 'memory'`) or saved (`keepModels: 'save'`), or saved models
 * of any process. `save(place)` writes it into one folder, which `loadModel` reads. How well it does is not what
 * cross-validation estimated; `summary()` says so.
 *
 * @param models what `run` or `validate` gave, or the places of saved models
 * @throws {InvalidDataError} the results hold no models; the saved ones do not predict the same thing, or one is there twice.
 * @example
 * const kept = await runner.run({ model, data: [X, y], preprocessing, keepModels: 'save', modelPath: 'together/{fold}' });
 * const together = await ensemble(kept);
 * const { predictions, probabilities } = await together.predict(newRows);
 * console.log(predictions, probabilities);
 */
export async function ensemble(
  models: FoldModels | readonly SavedPlace[],
  input: EnsembleOptions = {},
): Promise<FoldEnsemble> {
  const { ensembleOf } = await import('./foldEnsemble.js');
  return ensembleOf(models, input);
}
