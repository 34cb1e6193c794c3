import type { FoldEnsemble } from './foldEnsemble.js';
import type { LoadModelOptions, RefittedModel } from './keptModels.js';
import type { SavedPlace } from './modelFolder.js';

export type { LoadModelOptions } from './keptModels.js';

/**
 * The model that `refitted.save(place)`, `keepModels: 'save'` or `save` of an ensemble wrote, with its preparation, its recalibration and its threshold,
 * in this or another process: it predicts what it predicted before, bit for bit on the same engine. All of the folder is
 * checked first, so that a damaged model is refused.
 *
 * @param place the folder, as a path or `file:` URL; `indexeddb://name` in a page; or what `toBlob` gave
 * @throws {CVKitError} nothing is there, it was changed since it was written, or a step names a module without `modules: 'allow'`.
 * @example
 * const model = await loadModel('models/final');
 * const { predictions, probabilities } = await model.predict(newRows);
 */
export async function loadModel(
  place: SavedPlace,
  options: LoadModelOptions = {},
): Promise<RefittedModel | FoldEnsemble> {
  const { modelFrom } = await import('./foldEnsemble.js');
  return modelFrom(place, options);
}
