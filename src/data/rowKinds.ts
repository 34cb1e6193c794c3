/** Apart from rows.ts, which reads rows, so that a page with a splitter alone does not load the readers. */
import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isList, isPlainObject } from '../core/options.js';
import { checkedDense, type Dense, isDense, isTensor, product, type TensorLike } from './dense.js';
import { type Columns, frameColumns, rowShapeOf } from './lists.js';

/** Numbers of one input of a model. */
export interface InputRows extends Dense {
  /** Its key in a record of inputs; undefined when `X` is one input. */
  readonly name?: string;
}

/** Rows that are read as they are needed, for data that does not fit in memory. */
export interface RowSource {
  readonly length: number;
  /** Rows are read in blocks of this many, in ascending order: a stream cannot jump. */
  readonly window?: number;
  /** Full sentences about the rows, such as which files were left out; a run adds them to its warnings. */
  readonly warnings?: readonly string[];
  /** Tensors that it gives are disposed once they are read, unless `tf.keep` marks them. */
  take(indices: Int32Array): Promise<RowsInput> | RowsInput;
}

/**
 * Every kind of `X`: arrays, records, columns, dense, ml-matrix, tensors, data frames, sources; or
 * a record of input name to any of these, for models of several inputs. A flat list beside an input is one of shape
 * `[n, 1]`; a record of flat lists alone is columns.
 */
// biome-ignore lint/suspicious/noExplicitAny: data frames are recognised by shape: their classes belong to other packages
export type RowsInput = Rows | readonly any[] | Record<string, any> | Dense | RowSource | TensorLike;

/** A column of a table: numbers with NaN for missing cells, or cells of any kind. */
export type ColumnValues = Float64Array | readonly unknown[];

/** A view over rows. `take` composes views and copies nothing. */
export interface Rows {
  readonly length: number;
  /** `inputs`: a record of inputs, all in memory. `source`: read as needed, which one input is enough for. */
  readonly kind: 'arrays' | 'records' | 'columns' | 'dense' | 'matrix' | 'tensor' | 'frame' | 'source' | 'inputs';
  /** Names of the columns where the data has them or the caller gave them. */
  readonly featureNames: readonly string[] | undefined;
  /** Shape of one row, for example `[30]`. Undefined for several inputs, and for a row source, whose shape is known only once it is read. */
  readonly rowShape: readonly number[] | undefined;
  /** Each input of a record of inputs. Undefined for one input, and for a row source, whose inputs are known only once it is read. */
  readonly parts?: Readonly<Record<string, Rows>>;
  /** Rows are read in blocks of this many, in ascending order: see {@link RowSource}. */
  readonly window?: number;
  /** What a row source says of its rows: see {@link RowSource}. */
  readonly warnings?: readonly string[];
  /** All the numbers, where they were given in shared memory and these are all of its rows. Nobody may change them. */
  readonly shared?: Dense;
  take(indices: Int32Array): Rows;
  /** Fresh copies of the rows: records stay records (of columns, or of inputs), all else becomes (nested) arrays. */
  toArrays(): Promise<unknown[]>;
  /** As `toArrays`, but typed arrays of images or sequences stay such, as `{ data, shape }`: no list for each of their lines. */
  toShaped(): Promise<unknown[] | Dense>;
  /**
   * The columns of a table: numbers as Float64Array, with NaN where a cell is missing (null, undefined, ''); a column
   * with anything else as a list of its cells. Images and several inputs are refused.
   */
  toColumns(): Promise<readonly ColumnValues[]>;
  /** Numbers with their shape; several inputs side by side. Text is refused with its place; a missing value is NaN. */
  toDense(): Promise<Dense>;
  /** As `toDense`, each input by itself, in the order of the record. One input is a list of one. */
  toInputs(): Promise<readonly InputRows[]>;
}

declare const heldOut: unique symbol;

/**
 * What is predicted, so that nothing may be fitted to it: `fit` of a transformer does not compile with it, `transform` does.
 * The mark is one of types alone, and it is optional, so that rows of any kind can be handed over to be predicted.
 */
export type HeldOut<T> = T & { readonly [heldOut]?: true };

/** The view over rows that are predicted; what is read of them is {@link HeldOut}, too. */
export interface TestRows extends Rows {
  readonly [heldOut]?: true;
  take(indices: Int32Array): TestRows;
  toArrays(): Promise<HeldOut<unknown[]>>;
  toColumns(): Promise<HeldOut<readonly ColumnValues[]>>;
  toDense(): Promise<HeldOut<Dense>>;
}

/** Rows to fit something to: any but {@link HeldOut} ones. */
export type FitRows = RowsInput & { readonly [heldOut]?: never };

interface Facts {
  readonly length: number;
  readonly featureNames?: readonly string[];
  readonly rowShape?: readonly number[];
  readonly window?: number;
  readonly warnings?: readonly string[];
}
type Shaped = Facts & Required<Pick<Facts, 'rowShape'>>;
type Named = Shaped & Required<Pick<Facts, 'featureNames'>>;

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

export type FoundAs<K extends Found['kind']> = Extract<Found, { kind: K }>;

export const isRows = (X: unknown): X is Rows =>
  typeof X === 'object' && X !== null && 'kind' in X && typeof (X as Rows).toDense === 'function';

/** The window in which rows of all of these can be read side by side: the narrowest. */
export function leastWindow(all: readonly Rows[]): number | undefined {
  const windows = all.flatMap(({ window }) => window ?? []);
  return windows.length > 0 ? Math.min(...windows) : undefined;
}

export function warningsOf(parts: Readonly<Record<string, Rows>>): Pick<Rows, 'warnings'> {
  const warnings = Object.values(parts).flatMap((part) => part.warnings ?? []);
  return warnings.length > 0 ? { warnings } : {};
}

/** `X` by its kind; a view is its own. Throws {@link InvalidDataError} for ragged, empty or unknown data. */
export function recognise(X: unknown, name: string): Found | Rows {
  if (isRows(X)) return X;
  const found = find(X, name);
  if (found.length > 0) return found;
  throw new InvalidDataError(sentence(name, 'have at least one row', found.length || phrase('none')));
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
    refuseArguments(X, name);
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

/** `check({ X, y, groups })` would be read as inputs of a network, and find no patient on both sides. */
function refuseArguments(X: Readonly<Record<string, unknown>>, name: string): void {
  const keys = ['X', 'y', 'groups', 'patientIds', 'patient_ids'].filter((key) => key in X);
  if (keys[0] !== 'X' || keys.length < 2) return;
  throw new InvalidDataError(
    sentence(
      name,
      'be rows',
      phrase(`the keys ${keys.join(', ')}`),
      'sha256' in X ? 'Use `...table`.' : 'Use check(X, y, { groups }).',
    ),
    { code: 'arguments_as_rows' },
  );
}

function arrays(X: readonly unknown[], name: string): FoundAs<'arrays'> {
  if (X.length > 0 && !isList(X[0])) {
    throw new InvalidDataError(
      sentence(name, 'have two dimensions, rows and columns', phrase(`a flat array of ${X.length} values`)),
    );
  }
  return { kind: 'arrays', length: X.length, rowShape: X.length > 0 ? rowShapeOf(X, name) : [], content: X };
}

function records(X: readonly unknown[], name: string): FoundAs<'records'> {
  const [first] = X as object[];
  const names = Object.keys(first);
  for (let row = 0; row < X.length; row++) {
    const record = isPlainObject(X[row]) ? (X[row] as object) : {};
    const keys = Object.keys(record);
    const lacks = (each: object) => (key: string) => !Object.hasOwn(each, key);
    const differing = names.find(lacks(record)) ?? keys.find(lacks(first));
    if (differing === undefined) continue;
    const text = `${keys.length}; they differ in '${nameText(differing)}'`;
    throw ragged(`Row ${row} of ${name}`, `have the keys of row 0 (${names.length})`, text);
  }
  const content = X as readonly Record<string, unknown>[];
  return { kind: 'records', length: X.length, featureNames: names, rowShape: [names.length], content };
}

const ragged = (subject: string, must: string, text: string) =>
  new InvalidDataError(sentence(subject, must, phrase(text)), { code: 'ragged_rows' });

function columns(kind: 'columns' | 'frame', content: Columns, name: string): FoundAs<'columns' | 'frame'> {
  const names = content.map(([column]) => column);
  const n = content.length > 0 ? content[0][1]?.length : 0;
  for (const [column, values] of content) {
    const subject = `Column '${nameText(column)}' of ${name}`;
    if (!isList(values)) {
      const way = names[0] === '0' ? 'Save typed arrays as Array.from(array).' : undefined;
      throw new InvalidDataError(sentence(subject, 'be an array', kindOf(values), way));
    }
    if (values.length !== n) {
      throw ragged(subject, `have ${n} values, as column '${nameText(names[0])}' has`, String(values.length));
    }
  }
  return { kind, length: n, featureNames: names, rowShape: [names.length], content };
}

function dense(value: Dense, name: string): FoundAs<'dense'> {
  if (value.shape.length < 2) {
    throw new InvalidDataError(
      sentence(`The shape of ${name}`, 'have two dimensions or more', phrase(`[${value.shape}]`)),
    );
  }
  const content = checkedDense(value, name);
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
  const { length, window, warnings } = content;
  if (window !== undefined && !(Number.isInteger(window) && window > 0)) {
    throw new InvalidDataError(sentence(`The window of ${name}`, 'be an integer >= 1', window));
  }
  return { kind: 'source', length, window, ...(warnings ? { warnings: [...warnings] } : {}), content };
}

/** Whether rows have a shape of their own, which a flat column has not. */
const isInput = (X: unknown): boolean =>
  isList(X) ? isList(X[0]) || isPlainObject(X[0]) : typeof X === 'object' && X !== null;

function inputs(X: Readonly<Record<string, unknown>>, name: string): FoundAs<'inputs'> {
  const content = mapParts(X, (rows, input) => {
    const part = isList(rows) && !isInput(rows) ? { [input]: rows } : rows;
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

export const mapParts = <T, U>(parts: Readonly<Record<string, T>>, make: (part: T, input: string) => U) =>
  Object.fromEntries(Object.entries(parts).map(([input, part]) => [input, make(part, input)]));

type BlockFacts = Pick<Rows, 'length' | 'rowShape' | 'window'>;

/** Numbers are read in blocks of about this many. */
const BLOCK = 1 << 16;

export function* blocksOf({ length: n, rowShape = [], window = n }: BlockFacts): Generator<Int32Array> {
  const size = Math.min(window, Math.ceil(BLOCK / Math.max(1, product(rowShape))));
  for (let from = 0; from < n; from += size) {
    yield Int32Array.from({ length: Math.min(size, n - from) }, (_, i) => from + i);
  }
}
