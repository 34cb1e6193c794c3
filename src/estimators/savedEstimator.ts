import { CVKitError, InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import {
  anyValue,
  checkedShape,
  checkPlain,
  fields,
  finite,
  label,
  leftOutOr,
  list,
  orNull,
  recordOfAny,
  type Shape,
  text,
  whole,
} from '../core/shape.js';

const ESTIMATOR = fields({ estimator: text, cvkit: leftOutOr(text), options: recordOfAny, fitted: anyValue });

export function estimatorNotFitted(owner: string, way?: string): CVKitError {
  const text = sentence(`A ${owner}`, 'be fitted before it is used', phrase('one that is not'), way);
  return new CVKitError(text, { code: 'not_fitted' });
}

/** Options and state in the JSON of a model of the class `owner`; null for one that is not fitted. */
export function savedParts<T>(
  owner: string,
  json: unknown,
  shapeOf: (fitted: unknown) => Shape,
): { readonly options: object; readonly fitted: T | null } {
  const subject = `The JSON of a ${owner}`;
  const { estimator } = isPlainObject(json) ? json : {};
  if (estimator !== owner) throw new InvalidDataError(sentence(subject, 'be of one', phrase(show(estimator))));
  type Saved = { readonly options: object; readonly fitted: unknown };
  const { options, fitted } = checkedShape<Saved>(ESTIMATOR, checkPlain(json, subject), subject);
  return { options, fitted: checkedShape<T | null>(orNull(shapeOf(fitted)), fitted, subject) };
}

export const distinctLabels =
  (least: number): Shape =>
  (value, at) => {
    const fault = list(label)(value, at);
    if (fault) return fault;
    const labels = value as unknown[];
    const enough = labels.length >= least && new Set(labels).size === labels.length;
    return enough ? undefined : { at, must: `be ${least} different labels or more`, got: value };
  };

/** What `fitted` of a linear model of classes must be: one row of coefficients for two classes, else one for each. */
export function linearFit(fitted: unknown): Shape {
  const { classes, coef } = (isPlainObject(fitted) ? fitted : {}) as Partial<Record<string, unknown[]>>;
  const nRows = classes?.length === 2 ? 1 : classes?.length;
  const [first] = Array.isArray(coef) ? coef : [];
  return fields({
    classes: distinctLabels(2),
    coef: list(list(finite, Array.isArray(first) ? first.length : undefined), nRows),
    intercept: list(finite, nRows),
    iterations: whole(),
    notes: list(text),
  });
}
