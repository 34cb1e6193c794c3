/**
 * What models look like, by structure alone, so that they can be told apart before any library is imported. The registry
 * and the adapters ask here, so they always agree.
 */

const has = (model: unknown, ...methods: string[]): boolean =>
  typeof model === 'object' &&
  model !== null &&
  methods.every((method) => typeof (model as Record<string, unknown>)[method] === 'function');

/** A network of layers that can be compiled and trained: sequential or functional. False for graph models. */
export const looksLikeLayersModel = (model: unknown): boolean =>
  has(model, 'makeTrainFunction', 'compile', 'predict', 'getWeights', 'toJSON') &&
  Array.isArray((model as { layers?: unknown }).layers);

/** A graph of operations that can only predict, as converted from TensorFlow. */
export const looksLikeGraphModel = (model: unknown): boolean => has(model, 'predict', 'execute', 'executeAsync');

/** An object with `predict` and `fit` or `train`. False for networks, which have to be compiled. */
export const looksLikeEstimator = (model: unknown): boolean =>
  has(model, 'predict') && (has(model, 'fit') || has(model, 'train')) && !has(model, 'compile');
