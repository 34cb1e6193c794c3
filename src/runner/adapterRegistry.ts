/** Adapters by name. The built-in ones are rows that load their code on first use, so the root imports no framework. */

import { createRegistry, type Named } from '../core/registry.js';
import { looksLikeEstimator, looksLikeGraphModel, looksLikeLayersModel } from '../data/modelShapes.js';
import { checkAdapter, type FrameworkAdapter } from './frameworkAdapter.js';

/** How an adapter is found: its name, a structural test that imports nothing, and a way to get it. */
interface AdapterRow extends Named {
  matches(model: unknown): boolean;
  /** The framework is in use in this process, so that it may be opened before the first model is made. */
  inUse?(): boolean;
  load(): Promise<FrameworkAdapter>;
}

export const adapterRegistry = createRegistry<AdapterRow>('framework');

adapterRegistry.add({
  name: 'tfjs',
  matches: (model) => looksLikeLayersModel(model) || looksLikeGraphModel(model),
  inUse: () => '_tfengine' in globalThis,
  load: async () => (await import('../../adapters/tfjs/index.js')).tfjsAdapter,
});
adapterRegistry.add({
  name: 'estimator',
  matches: looksLikeEstimator,
  load: async () => (await import('../../adapters/estimator/index.js')).estimatorAdapter,
});

/**
 * Adds an adapter, so that `framework: 'auto'` asks its `matches` and `framework: '<name>'` finds it. Adapters added
 * later are asked first. A name taken twice is refused.
 */
export function registerAdapter(adapter: FrameworkAdapter): FrameworkAdapter {
  const checked = checkAdapter(adapter);
  adapterRegistry.add({ name: checked.name, matches: (model) => checked.matches(model), load: async () => checked });
  return checked;
}
