/** Lists, records and columns, checked before a row is read: see {@link recognise}. */

import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isList, isPlainObject } from '../core/options.js';
import type { Columns } from './frameColumns.js';
import { rowShapeOf } from './nestedLists.js';
import type { FoundAs } from './rowKinds.js';

export function arrays(X: readonly unknown[], name: string): FoundAs<'arrays'> {
  if (X.length > 0 && !isList(X[0])) {
    throw new InvalidDataError(
      sentence(name, 'have two dimensions, rows and columns', phrase(`a flat array of ${X.length} values`)),
    );
  }
  return { kind: 'arrays', length: X.length, rowShape: X.length > 0 ? rowShapeOf(X, name) : [], content: X };
}

export function records(X: readonly unknown[], name: string): FoundAs<'records'> {
  const names = Object.keys(X[0] as object);
  for (let row = 0; row < X.length; row++) {
    const keys = isPlainObject(X[row]) ? Object.keys(X[row] as object) : [];
    const odd = names.find((key) => !keys.includes(key)) ?? keys.find((key) => !names.includes(key));
    if (odd !== undefined || keys.length !== names.length) {
      const text = `${keys.length}${odd === undefined ? '' : `; they differ in '${nameText(odd)}'`}`;
      throw ragged(`Row ${row} of ${name}`, `have the keys of row 0 (${names.length})`, text);
    }
  }
  const content = X as readonly Record<string, unknown>[];
  return { kind: 'records', length: X.length, featureNames: names, rowShape: [names.length], content };
}

/** The error for rows, columns or inputs that are not of one length. */
export const ragged = (subject: string, must: string, text: string) =>
  new InvalidDataError(sentence(subject, must, phrase(text)), { code: 'ragged_rows' });

export function columns(kind: 'columns' | 'frame', content: Columns, name: string): FoundAs<'columns' | 'frame'> {
  const names = content.map(([column]) => column);
  const n = content.length > 0 ? content[0][1]?.length : 0;
  for (const [column, values] of content) {
    const subject = `Column '${nameText(column)}' of ${name}`;
    if (!isList(values)) throw new InvalidDataError(sentence(subject, 'be an array', kindOf(values)));
    if (values.length !== n) {
      throw ragged(subject, `have ${n} values, as column '${nameText(names[0])}' has`, String(values.length));
    }
  }
  return { kind, length: n, featureNames: names, rowShape: [names.length], content };
}
