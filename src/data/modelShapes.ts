/** By structure alone, before any library is imported. The registry and the adapters ask here, so they always agree. */
import { isPlainObject } from '../core/options.js';

const has = (model: unknown, ...methods: string[]): boolean =>
  typeof model === 'object' &&
  model !== null &&
  methods.every((method) => typeof (model as Record<string, unknown>)[method] === 'function');

/** A network of layers that can be compiled and trained: sequential or functional. False for graph models. */
export const hasLayersModelShape = (model: unknown): boolean =>
  has(model, 'makeTrainFunction', 'compile', 'predict', 'getWeights', 'toJSON') &&
  Array.isArray((model as { layers?: unknown }).layers);

/** A graph of operations that can only predict, as converted from TensorFlow. */
export const hasGraphModelShape = (model: unknown): boolean => has(model, 'predict', 'execute', 'executeAsync');

const learns = (model: unknown) => has(model, 'fit') || has(model, 'train');
const predicts = (model: unknown) =>
  ['predict', 'predictProba', 'predict_proba', 'predictRisk'].some((method) => has(model, method));

/** `fit` or `train`, and `predict`, `predictProba` or `predictRisk`. False for networks, which have to be compiled. */
export const hasEstimatorShape = (model: unknown): boolean =>
  predicts(model) && learns(model) && !has(model, 'compile');

export function lacksToBeEstimator(model: unknown): string | undefined {
  if (has(model, 'parts', 'withModel')) return 'a model at its end';
  if (predicts(model) === learns(model) || has(model, 'compile')) return undefined;
  return learns(model) ? '`predict` or `predictProba`' : '`fit` or `train`';
}

/** What `onnxModel` makes of a source, an open session of onnxruntime, or the bytes of a file. */
export const hasOnnxShape = (model: unknown): boolean =>
  model instanceof Uint8Array ||
  model instanceof ArrayBuffer ||
  (has(model, 'run', 'release') && Array.isArray((model as { inputNames?: unknown }).inputNames)) ||
  (isPlainObject(model) && 'onnx' in model);

/** What `loadModel`, `refit` and `ensemble` give: it is trained, and says what it is. */
export const hasKeptModelShape = (model: unknown): boolean =>
  has(model, 'predict', 'describe', 'save') && !learns(model);

/** What a built-in adapter takes, by structure. */
export const isModelShape = (model: unknown): boolean =>
  hasEstimatorShape(model) || hasLayersModelShape(model) || hasGraphModelShape(model) || hasOnnxShape(model);

/** A `Pipeline` with a model at its end. */
export const hasPipelineShape = (model: unknown): boolean =>
  has(model, 'parts', 'withModel') && Array.isArray((model as { model?: unknown }).model);
