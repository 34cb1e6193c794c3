import type { LoadRefittedOptions, RefittedModel } from './refittedModel.js';

export type { LoadRefittedOptions } from './refittedModel.js';

/**
 * The model that `refitted.save(path)` wrote, with its preparation and its threshold: it predicts what it predicted
 * before, bit for bit on the same engine.
 *
 * @throws {CVKitError} the files cannot be read, or are none of these.
 * @example
 * const model = await loadRefitted('models/final');
 * const { predictions, probabilities } = await model.predict(newRows);
 */
export async function loadRefitted(path: string, input: LoadRefittedOptions = {}): Promise<RefittedModel> {
  const { refittedFrom } = await import('./calls.js');
  return refittedFrom(path, input);
}
