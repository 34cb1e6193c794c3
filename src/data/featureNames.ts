import { invalidData, show } from '../core/errors.js';
import { firstTwice } from '../core/firstTwice.js';
import { listOf } from '../core/options.js';
import type { Found, Rows } from './rowKinds.js';

export const featureNamesOption = listOf<string>(
  'string',
  'be a list of names, none of them empty',
  (name) => typeof name === 'string' && name !== '',
)
  .optional()
  .describe('Name of each column of X, for checks, reports and errors; by default those that X has itself.');

/** `X` with the names that were given, checked against what is known of its columns. A source is checked against them as it is read. */
export function named<T extends Found | Rows>(X: T, name: string, featureNames: readonly string[] | undefined): T {
  if (featureNames === undefined) return X;
  const { kind, rowShape, featureNames: own } = X;
  const twice = firstTwice(featureNames);
  if (twice !== undefined) throw misnamed('be all different', `${show(twice)} twice`, 'duplicate_feature_name');
  if (kind === 'inputs' || (rowShape && rowShape.length !== 1)) {
    const got = rowShape ? `rows of shape [${rowShape}]` : 'several inputs';
    throw misnamed(`name the columns of a table, so ${name} must be one`, got, 'not_a_table');
  }
  if (rowShape && rowShape[0] !== featureNames.length) {
    throw misnamed(`name every column of ${name}, ${rowShape[0]}`, String(featureNames.length), 'length_mismatch');
  }
  const differing = own ? own.findIndex((each, at) => each !== featureNames[at]) : -1;
  if (own && differing >= 0) {
    const must = `be the names that ${name} has itself, where it has some`;
    throw misnamed(must, `${show(featureNames[differing])} for its column ${show(own[differing])}`, 'column_mismatch');
  }
  if (own) return X;
  const names = [...featureNames];
  return {
    ...X,
    featureNames: names,
    ...('take' in X ? { take: (rows: Int32Array) => named(X.take(rows), name, names) } : {}),
  };
}

const misnamed = (must: string, text: string, code: string) => invalidData(code, 'featureNames', must, text);
