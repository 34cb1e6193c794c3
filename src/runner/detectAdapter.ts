/** Asks the adapters whose model it is. */
import { AdapterError, show } from '../core/errors.js';
import { lacksToBeEstimator } from '../data/modelShapes.js';
import { adapterRegistry } from './adapterRegistry.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';

/** Adapters added later are asked first. */
const askingOrder = () => [...adapterRegistry].reverse();

/** The adapter whose `matches` says yes to `model`, if there is one. */
export const adapterFor = async (model: unknown): Promise<FrameworkAdapter | undefined> =>
  askingOrder()
    .find((row) => row.matches(model))
    ?.load();

/** The adapter whose `matches` says yes to `model`; the error lists what was asked. */
export async function detectAdapter(model: unknown): Promise<FrameworkAdapter> {
  const adapter = await adapterFor(model);
  if (adapter) return adapter;
  const asked = askingOrder();
  const lacking = lacksToBeEstimator(model);
  throw new AdapterError(
    `No adapter knows the model that was given, ${show(model)}${lacking ? ` without ${lacking}` : ''}. Asked: ${asked.map((each) => each.name).join(', ')}. ` +
      'Use a model with fit and predict, or registerAdapter.',
    { code: 'unknown_model' },
  );
}
