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
 * const { refitted } = await runner.run({ model, data: [X, y], preprocessing, refit: true });
 * await refitted.save('models/final');
 * const loaded = await loadModel('models/final');
 * console.log((await loaded.predict(newRows)).predictions);
 */
export async function loadModel(
  place: SavedPlace,
  options: LoadModelOptions = {},
): Promise<RefittedModel | FoldEnsemble> {
  const { modelFrom } = await import('./foldEnsemble.js');
  return modelFrom(place, options);
}
