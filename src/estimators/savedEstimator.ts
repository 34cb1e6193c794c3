/** What the JSON of the models of this room has in common. */
import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import {
  anyValue,
  checkedShape,
  checkPlain,
  fields,
  label,
  leftOutOr,
  list,
  recordOfAny,
  type Shape,
  text,
} from '../core/shape.js';

interface EstimatorJSON {
  readonly estimator: string;
  readonly cvkit: string;
  readonly options: object;
  readonly fitted: unknown;
}

const ESTIMATOR = fields({ estimator: text, cvkit: leftOutOr(text), options: recordOfAny, fitted: anyValue });

/** The JSON of a model of the class `owner`, whose options and state are still to be read. */
export function checkedEstimator(owner: string, json: unknown): EstimatorJSON {
  const subject = `The JSON of a ${owner}`;
  const { estimator } = (isPlainObject(json) ? json : {}) as Partial<EstimatorJSON>;
  if (estimator === owner) return checkedShape(ESTIMATOR, checkPlain(json, subject), subject);
  throw new InvalidDataError(sentence(subject, 'be of one', phrase(show(estimator))));
}

/** At least so many labels, no two the same. */
export const distinctLabels =
  (least: number): Shape =>
  (value, at) => {
    const fault = list(label)(value, at);
    if (fault) return fault;
    const labels = value as unknown[];
    const enough = labels.length >= least && new Set(labels).size === labels.length;
    return enough ? undefined : { at, must: `be ${least} different labels or more`, got: value };
  };
