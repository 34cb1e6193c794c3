import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { CoxRegression } from './coxRegression.js';
import { DummyClassifier } from './dummyClassifier.js';
import { DummyRegressor } from './dummyRegressor.js';
import { KaplanMeier } from './kaplanMeier.js';
import { LogisticRegression } from './logisticRegression.js';

const CLASSES = { LogisticRegression, DummyClassifier, DummyRegressor, CoxRegression, KaplanMeier };

export const isOwnJSON = (json: unknown): json is { readonly estimator: keyof typeof CLASSES } =>
  isPlainObject(json) && typeof json.estimator === 'string' && Object.hasOwn(CLASSES, json.estimator);

/**
 * The model that `toJSON` told of, of any class of `cvkit/estimators`, fitted where that one was. It predicts what that one
 * did, bit for bit.
 *
 * @throws {InvalidDataError} JSON of something else.
 * @example
 * const fitted = new LogisticRegression().fit([[0], [1], [2], [3]], [0, 0, 1, 1]);
 * const again = estimatorFromJSON(JSON.parse(JSON.stringify(fitted)));
 * console.log(again.predict([[0.5], [2.5]]));
 */
export function estimatorFromJSON(
  json: unknown,
): LogisticRegression | DummyClassifier | DummyRegressor | CoxRegression | KaplanMeier {
  if (isOwnJSON(json)) return CLASSES[json.estimator].fromJSON(json);
  const got = isPlainObject(json) ? (json.estimator ?? json) : json;
  const subject = 'The JSON of an estimator';
  const must = 'be what `toJSON` of one of cvkit/estimators gave';
  throw new InvalidDataError(sentence(subject, must, phrase(show(got))), { code: 'other_estimator' });
}
