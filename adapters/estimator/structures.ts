/** What the estimator adapter asks of a model, by structure. */
import { looksLikeEstimator } from '../../src/data/modelShapes.js';

export interface Estimator {
  fit?(X: unknown[], y: unknown[], sampleWeight?: number[] | null, positiveLabel?: unknown): unknown;
  train?(X: unknown[], y: unknown[], sampleWeight?: number[]): unknown;
  /** May be missing where labels follow from probabilities. */
  predict?(X: unknown[]): unknown;
  predictProba?(X: unknown[]): unknown;
  /** The same, as scikit-learn spells it. */
  predict_proba?(X: unknown[]): unknown;
  /** mljs: the probability of one label per row. libsvm-js: estimates of all labels, with one parameter. */
  predictProbability?(X: unknown[], label?: unknown): unknown;
  /** mljs forests: the label that each tree gives, `[rows, trees]`. */
  predictionValues?(X: unknown[]): unknown;
  /** Labels in the order of the columns of `predictProba`. */
  readonly classes?: unknown;
  readonly classes_?: unknown;
  /** scikitjs trees and linear models: the encoders of their labels, which know the order. */
  readonly labelEncoder?: { readonly classes?: unknown };
  readonly oneHot?: { readonly categories?: readonly unknown[] };
  /** libsvm-js and ml-xgboost: what the model was made with. */
  readonly options?: { readonly probabilityEstimates?: unknown; readonly objective?: unknown };
  /** It takes rows as a block of numbers, `{ data, shape }`, in the place of lists. */
  readonly takesDense?: boolean;
  /** Its `fit` takes the positive class of a binary task as fourth argument. */
  readonly takesPositive?: boolean;
  /** What is to be said of the last fit, for the warnings of the run. */
  readonly notes?: readonly string[];
  clone?(): unknown;
  getParams?(): unknown;
  get_params?(): unknown;
  free?(): void;
  dispose?(): void;
}

/** True for objects with `fit` or `train`, and `predict` or `predictProba`. False for neural networks, which have to be compiled. */
export const isEstimator = (model: unknown): model is Estimator => looksLikeEstimator(model);

/** The name of the model's class; undefined for plain objects and classes without a name. */
export function classNameOf(model: unknown): string | undefined {
  const made: unknown = typeof model === 'object' && model !== null ? model.constructor : undefined;
  return typeof made === 'function' && made !== Object && made.name !== '' ? made.name : undefined;
}

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
/** Other ways to what a function was called with. */
const ALL_ARGUMENTS = ['arguments', 'eval', 'super'];

/**
 * The text of a function shows that it does not look at what it is given: it has no parameters, or its body names none of
 * them. False where the text does not tell: native and bound functions, default values.
 */
export function readsNoRows(fit: unknown): boolean {
  if (typeof fit !== 'function') return false;
  const text = Function.prototype.toString.call(fit);
  if (/\[native code\]/.test(text)) return false;
  const start = /^(?:async\s+)?[\p{ID_Start}$_][\p{ID_Continue}$]*\s*=>/u.test(text) ? 0 : text.indexOf('(');
  const end = start === 0 ? text.indexOf('=>') : closing(text, start);
  const parameters = text.slice(start, end);
  if (parameters.includes('=')) return false;
  const names = [...(parameters.match(IDENTIFIER) ?? []), ...ALL_ARGUMENTS];
  const used = new Set(text.slice(end).match(IDENTIFIER));
  return !names.some((name) => used.has(name));
}

/** Place of the bracket that closes the one at `start`. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}
