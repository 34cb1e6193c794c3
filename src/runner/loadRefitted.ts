import { custom, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';
import type { RefittedModel } from './refittedModel.js';

export const loadRefittedOptions = optionTable('loadRefitted', {
  adapter: custom<FrameworkAdapter>('FrameworkAdapter', 'be an adapter', (v) => typeof v === 'object')
    .optional()
    .describe('The adapter of the model, where it is not registered by its name.'),
  adapterOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe('Engine options, for example { backend }.'),
});

export type LoadRefittedOptions = InputOf<typeof loadRefittedOptions>;

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
  const options = loadRefittedOptions.resolve(input);
  const { refittedFrom } = await import('./calls.js');
  return refittedFrom(path, options);
}
