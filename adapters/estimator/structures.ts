/** What the estimator adapter asks of a model, by structure. */
import { looksLikeEstimator } from '../../src/core/modelShapes.js';

export interface Estimator {
  fit?(X: unknown[], y: unknown[], sampleWeight?: number[]): unknown;
  train?(X: unknown[], y: unknown[], sampleWeight?: number[]): unknown;
  predict(X: unknown[]): unknown;
  predictProba?(X: unknown[]): unknown;
  /** The same, as scikit-learn spells it. */
  predict_proba?(X: unknown[]): unknown;
  /** mljs: the probability of one label per row. */
  predictProbability?(X: unknown[], label: unknown): unknown;
  /** mljs forests: the label that each tree gives, `[rows, trees]`. */
  predictionValues?(X: unknown[]): unknown;
  /** Labels in the order of the columns of `predictProba`. */
  readonly classes?: unknown;
  readonly classes_?: unknown;
  clone?(): unknown;
  getParams?(): unknown;
  get_params?(): unknown;
  free?(): void;
  dispose?(): void;
}

/** True for objects with `predict` and `fit` or `train`. False for neural networks, which have to be compiled. */
export const isEstimator = (model: unknown): model is Estimator => looksLikeEstimator(model);
