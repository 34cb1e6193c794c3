/** Adapters by name. The built-in ones are rows that load their code on first use, so the root imports no framework. */

import { createRegistry, type Named } from '../core/registry.js';
import { hasEstimatorShape, hasGraphModelShape, hasLayersModelShape, hasOnnxShape } from '../data/modelShapes.js';
import { checkAdapter, type FrameworkAdapter, knows } from './frameworkAdapter.js';

interface AdapterRow extends Named {
  matches(model: unknown): boolean;
  /** The framework is in use in this process, so that it may be opened before the first model is made. */
  inUse?(): boolean;
  load(): Promise<FrameworkAdapter>;
}

export const adapterRegistry = createRegistry<AdapterRow>('framework');

adapterRegistry.add({
  name: 'tfjs',
  matches: (model) => hasLayersModelShape(model) || hasGraphModelShape(model),
  inUse: () => '_tfengine' in globalThis,
  load: async () => (await import('../../adapters/tfjs/index.js')).tfjsAdapter,
});
adapterRegistry.add({
  name: 'estimator',
  matches: hasEstimatorShape,
  load: async () => (await import('../../adapters/estimator/index.js')).estimatorAdapter,
});
adapterRegistry.add({
  name: 'onnx',
  matches: hasOnnxShape,
  load: async () => (await import('../../adapters/onnx/index.js')).onnxAdapter,
});

/** Loads the adapters that steps of a saved preparation come with, so that these can be read. */
export async function loadAdaptersOf(preparation: unknown): Promise<void> {
  if (typeof preparation !== 'object' || preparation === null) return;
  if (Array.isArray(preparation) && typeof preparation[0] === 'number') return; // numbers that a step learnt
  const { transformer, adapter } = preparation as { readonly transformer?: unknown; readonly adapter?: unknown };
  if (typeof transformer === 'string' && typeof adapter === 'string') await adapterRegistry.get(adapter).load();
  for (const part of Object.values(preparation)) await loadAdaptersOf(part);
}

/**
 * Adds an adapter, so that `framework: 'auto'` asks its `matches` and `framework: '<name>'` finds it. Adapters added
 * later are asked first. A name taken twice is refused.
 *
 * @example
 * class Prior {}
 * registerAdapter({
 *   name: 'share',
 *   capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
 *   matches: (own) => own instanceof Prior,
 *   build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : new Prior()),
 *   async fit(own, { y: labels }) {
 *     own.share = labels.toArray().filter((label) => label === 1).length / labels.length;
 *     return { epochs: [] };
 *   },
 *   async predict({ share }, rows) {
 *     const data = Float64Array.from({ length: 2 * rows.length }, (_, at) => (at % 2 ? share : 1 - share));
 *     return { probabilities: { data, shape: [rows.length, 2] } };
 *   },
 * });
 * const { estimates } = await runner.run({ model: () => new Prior(), data: [X, y], metrics: ['brier'] });
 * console.log(estimates.brier);
 */
export function registerAdapter(adapter: FrameworkAdapter): FrameworkAdapter {
  const checked = checkAdapter(adapter);
  adapterRegistry.add({ name: checked.name, matches: (model) => knows(checked, model), load: async () => checked });
  return checked;
}
