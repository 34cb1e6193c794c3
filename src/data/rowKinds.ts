/**
 * What kind of data `X` is, and what can be known of it before a row is read: splitters need no more than its length.
 * The readers are in rows.ts and load later.
 */

import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isList, isPlainObject } from '../core/options.js';
import { checkedDense, isDense, isTensor } from './dense.js';
import { type Columns, frameColumns } from './frameColumns.js';
import { arrays, columns, ragged, records } from './listKinds.js';
import type { Dense, RowSource, Rows, TensorLike } from './rows.js';

interface Facts {
  readonly length: number;
  readonly featureNames?: readonly string[];
  readonly rowShape?: readonly number[];
  readonly window?: number;
}
type Shaped = Facts & Required<Pick<Facts, 'rowShape'>>;
type Named = Shaped & Required<Pick<Facts, 'featureNames'>>;

/** ml-matrix */
interface MatrixLike {
  rows: number;
  columns: number;
  get(row: number, column: number): number;
}

/** Data that passed the checks of their kind, not read yet. */
export type Found =
  | (Shaped & { readonly kind: 'arrays'; readonly content: readonly unknown[] })
  | (Named & { readonly kind: 'records'; readonly content: readonly Record<string, unknown>[] })
  | (Named & { readonly kind: 'columns' | 'frame'; readonly content: Columns })
  | (Shaped & { readonly kind: 'dense'; readonly content: Dense })
  | (Shaped & { readonly kind: 'matrix'; readonly content: MatrixLike })
  | (Shaped & { readonly kind: 'tensor'; readonly content: TensorLike })
  | (Facts & { readonly kind: 'source'; readonly content: RowSource })
  | (Facts & { readonly kind: 'inputs'; readonly content: Readonly<Record<string, Found | Rows>> });

/** {@link Found} of one kind. */
export type FoundAs<K extends Found['kind']> = Extract<Found, { kind: K }>;

/** True for the views that `rowsOf` makes. */
export const isRows = (X: unknown): X is Rows =>
  typeof X === 'object' && X !== null && 'kind' in X && typeof (X as Rows).toDense === 'function';

/** `X` by its kind; a view is its own. Throws {@link InvalidDataError} for ragged, empty or unknown data. */
export function recognise(X: unknown, name: string): Found | Rows {
  if (isRows(X)) return X;
  const found = find(X, name);
  if (found.length === 0) throw new InvalidDataError(sentence(name, 'have at least one row', phrase('none')));
  return found;
}

/** Row numbers are signed 32-bit integers. */
const MAX_ROWS = 2 ** 31 - 1;

/** Number of rows of `X`, or `X` itself when it is a count. */
export function rowCount(X: unknown, name = 'X'): number {
  if (typeof X !== 'number') return recognise(X, name).length;
  if (!Number.isInteger(X) || X < 1 || X > MAX_ROWS) {
    throw new InvalidDataError(sentence(name, `be data or a number of rows, an integer from 1 to ${MAX_ROWS}`, X));
  }
  return X;
}

function find(X: unknown, name: string): Found {
  if (Array.isArray(X)) return X.length > 0 && isPlainObject(X[0]) ? records(X, name) : arrays(X, name);
  if (isTensor(X)) return tensor(X, name);
  if (isDense(X)) return dense(X, name);
  if (isSource(X)) return source(X, name);
  if (isMatrix(X)) return { kind: 'matrix', length: X.rows, rowShape: [X.columns], content: X };
  const frame = frameColumns(X);
  if (frame) return columns('frame', frame, name);
  if (isPlainObject(X)) {
    return Object.values(X).some(isInput) ? inputs(X, name) : columns('columns', Object.entries(X) as Columns, name);
  }
  throw new InvalidDataError(
    sentence(
      name,
      'be rows (arrays, records, columns, { data, shape }, a matrix, a tensor, a data frame, a row source, a record of inputs)',
      kindOf(X),
    ),
  );
}

function dense(given: Dense, name: string): FoundAs<'dense'> {
  if (given.shape.length < 2) {
    throw new InvalidDataError(
      sentence(`The shape of ${name}`, 'have two dimensions or more', phrase(`[${given.shape}]`)),
    );
  }
  const content = checkedDense(given, name);
  const [length, ...rowShape] = content.shape;
  return { kind: 'dense', length, rowShape, content };
}

function tensor(content: TensorLike, name: string): FoundAs<'tensor'> {
  const [length, ...rowShape] = content.shape;
  if (rowShape.length === 0) {
    throw new InvalidDataError(sentence(name, 'be a tensor of rank 2 or more', phrase(`rank ${content.shape.length}`)));
  }
  if (!['float32', 'int32', 'bool'].includes(content.dtype)) {
    throw new InvalidDataError(sentence(name, 'be a tensor of numbers', phrase(`dtype ${content.dtype}`)), {
      code: 'not_numeric',
    });
  }
  return { kind: 'tensor', length, rowShape, content };
}

function isMatrix(X: unknown): X is MatrixLike {
  const matrix = (X ?? {}) as Partial<MatrixLike>;
  return Number.isInteger(matrix.rows) && Number.isInteger(matrix.columns) && typeof matrix.get === 'function';
}

function isSource(X: unknown): X is RowSource {
  const source = (X ?? {}) as Partial<RowSource>;
  return typeof source.take === 'function' && Number.isInteger(source.length);
}

function source(content: RowSource, name: string): FoundAs<'source'> {
  const { length, window } = content;
  if (window !== undefined && !(Number.isInteger(window) && window > 0)) {
    throw new InvalidDataError(sentence(`The window of ${name}`, 'be an integer >= 1', window));
  }
  return { kind: 'source', length, window, content };
}

/** What a flat column cannot be: rows with a shape of their own. */
const isInput = (X: unknown): boolean =>
  isList(X) ? isList(X[0]) || isPlainObject(X[0]) : typeof X === 'object' && X !== null;

function inputs(X: Readonly<Record<string, unknown>>, name: string): FoundAs<'inputs'> {
  const content = mapParts(X, (given, input) => {
    const part = isList(given) && !isInput(given) ? { [input]: given } : given;
    return recognise(part, `${name}.${input}`);
  });
  const [[first, { length }]] = Object.entries(content);
  for (const [input, part] of Object.entries(content)) {
    if (part.length === length) continue;
    throw ragged(
      `Input '${nameText(input)}' of ${name}`,
      `have ${length} rows, as input '${nameText(first)}' has`,
      String(part.length),
    );
  }
  return { kind: 'inputs', length, content };
}

/** The same inputs, each made into another. */
export const mapParts = <T, U>(parts: Readonly<Record<string, T>>, make: (part: T, input: string) => U) =>
  Object.fromEntries(Object.entries(parts).map(([input, part]) => [input, make(part, input)]));
