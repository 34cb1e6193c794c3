/**
 * One view over every kind of `X`: length, take, arrays, dense numbers. Nothing that the caller passed is changed,
 * copied before it is needed, or disposed; tensors and data frames are recognised by shape and never imported.
 */
import { InvalidDataError, sentence, threw } from './errors.js';
import { inputStore, leastWindow, mapParts, takeOf } from './inputRows.js';
import { isList, isPlainObject } from './options.js';

export type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** Numbers with a shape `[n, ...]`, row-major. */
export interface Dense {
  readonly data: NumericArray;
  readonly shape: readonly number[];
}

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
  /** Tensors that it gives are disposed once they are read, unless `tf.keep` marks them. */
  take(indices: Int32Array): Promise<RowsInput> | RowsInput;
}

/** The part of `tf.Tensor` that is used. */
export interface TensorLike {
  readonly shape: readonly number[];
  readonly dtype: string;
  data(): Promise<ArrayLike<number>>;
  dataSync(): ArrayLike<number>;
}

/**
 * Every kind of `X` (contract section 2): arrays, records, columns, dense, ml-matrix, tensors, data frames, sources; or
 * a record of input name to any of these, for models of several inputs. A flat list beside an input is one of shape
 * `[n, 1]`; a record of flat lists alone is columns.
 */
// biome-ignore lint/suspicious/noExplicitAny: data frames are recognised by shape, their classes are not ours to name
export type RowsInput = Rows | readonly any[] | Record<string, any> | Dense | RowSource | TensorLike;

/** A view over rows. `take` composes views and copies nothing. */
export interface Rows {
  readonly length: number;
  /** `inputs`: a record of inputs, all in memory. `source`: read as needed, which one input is enough for. */
  readonly kind: 'arrays' | 'records' | 'columns' | 'dense' | 'matrix' | 'tensor' | 'frame' | 'source' | 'inputs';
  /** Names of the columns where the data has them. */
  readonly featureNames: readonly string[] | undefined;
  /** Shape of one row, for example `[30]`. Undefined for several inputs and for a row source, which only reading tells. */
  readonly rowShape: readonly number[] | undefined;
  /** Each input of a record of inputs. Undefined for one input, and for a row source, which only reading tells. */
  readonly parts?: Readonly<Record<string, Rows>>;
  /** Rows are read in blocks of this many, in ascending order: see {@link RowSource}. */
  readonly window?: number;
  take(indices: Int32Array): Rows;
  /** Fresh copies of the rows: records stay records (of columns, or of inputs), all else becomes (nested) arrays. */
  toArrays(): Promise<unknown[]>;
  /** Numbers with their shape; several inputs side by side. Text is refused with its place; a missing value is NaN. */
  toDense(): Promise<Dense>;
  /** As `toDense`, each input by itself, in the order of the record. One input is a list of one. */
  toInputs(): Promise<readonly InputRows[]>;
}

/** What each kind of data has to offer; the view does the rest. `null` means all rows. */
export interface Store {
  readonly length: number;
  readonly kind: Rows['kind'];
  readonly featureNames?: readonly string[];
  readonly rowShape?: readonly number[];
  readonly window?: number;
  readonly parts?: Readonly<Record<string, Rows>>;
  arrays(rows: Int32Array | null): Promise<unknown[]>;
  dense(rows: Int32Array | null): Promise<Dense>;
  /** Left out by what is always one input. */
  inputs?(rows: Int32Array | null): Promise<readonly InputRows[]>;
}

/** The view over `X`. Throws {@link InvalidDataError} for ragged, empty or unknown data; `name` is used in messages. */
export function rowsOf(X: unknown, name = 'X'): Rows {
  if (isRows(X)) return X;
  const store = storeOf(X, name);
  if (store.length === 0) throw new InvalidDataError(sentence(name, 'have at least one row', { text: 'none' }));
  return view(store, null);
}

const isRows = (X: unknown): X is Rows =>
  typeof X === 'object' && X !== null && 'kind' in X && typeof (X as Rows).toDense === 'function';

/** Row numbers are signed 32-bit integers. */
const MAX_ROWS = 2 ** 31 - 1;

/** Number of rows of `X`, or `X` itself when it is a count. */
export function rowCount(X: unknown, name = 'X'): number {
  if (typeof X !== 'number') return rowsOf(X, name).length;
  if (!Number.isInteger(X) || X < 1 || X > MAX_ROWS) {
    throw new InvalidDataError(sentence(name, `be data or a number of rows, an integer from 1 to ${MAX_ROWS}`, X));
  }
  return X;
}

function view(store: Store, indices: Int32Array | null): Rows {
  return {
    length: indices ? indices.length : store.length,
    kind: store.kind,
    featureNames: store.featureNames,
    rowShape: store.rowShape,
    get window() {
      return this.parts ? leastWindow(Object.values(this.parts)) : store.window;
    },
    get parts() {
      return store.parts && mapParts(store.parts, (part) => takeOf(part, indices));
    },
    take: (rows) => view(store, indices ? rows.map((row) => indices[row]) : rows),
    toArrays: () => store.arrays(indices),
    toDense: () => store.dense(indices),
    toInputs: async () => (store.inputs ? store.inputs(indices) : [await store.dense(indices)]),
  };
}

function storeOf(X: unknown, name: string): Store {
  if (Array.isArray(X)) return X.length > 0 && isPlainObject(X[0]) ? recordStore(X, name) : arrayStore(X, name);
  if (isTensor(X)) return tensorStore(X, name);
  if (isDense(X)) return denseStore(X, name);
  if (isSource(X)) return sourceStore(X, name);
  const matrix = matrixStore(X);
  if (matrix) return matrix;
  const frame = frameColumns(X);
  if (frame) return columnStore('frame', frame, name);
  if (isPlainObject(X)) {
    if (!Object.values(X).some(isInput)) return columnStore('columns', Object.entries(X) as Columns, name);
    const flatAsColumn = (given: unknown, input: string) =>
      isList(given) && !isInput(given) ? { [input]: given } : given;
    return inputStore(
      mapParts(X, (given, input) => rowsOf(flatAsColumn(given, input), `${name}.${input}`)),
      name,
    );
  }
  throw new InvalidDataError(
    sentence(
      name,
      'be rows (arrays, records, columns, { data, shape }, a matrix, a tensor, a data frame, a row source, a record of inputs)',
      X,
    ),
  );
}

// ---- kinds of data ----------------------------------------------------------------------------------------------

function* picked(n: number, rows: Int32Array | null): Generator<number> {
  if (rows) yield* rows;
  else for (let row = 0; row < n; row++) yield row;
}

function arrayStore(X: readonly unknown[], name: string): Store {
  if (X.length > 0 && !isList(X[0])) {
    throw new InvalidDataError(
      sentence(name, 'have two dimensions, rows and columns', { text: `a flat array of ${X.length} values` }),
    );
  }
  const shape = X.length > 0 ? rowShapeOf(X, name) : [];
  return {
    length: X.length,
    kind: 'arrays',
    rowShape: shape,
    arrays: async (rows) => Array.from(picked(X.length, rows), (row) => copyNested(X[row])),
    dense: async (rows) => numbersOf(X, rows, shape, name),
  };
}

/** Shape of the first row of nested lists. Throws {@link InvalidDataError} for a row of another shape. */
export function rowShapeOf(X: readonly unknown[], name: string): number[] {
  const shape = listShape(X[0] as ArrayLike<unknown>);
  for (let row = 0; row < X.length; row++) checkRow(X[row], shape, row, name);
  return shape;
}

/** The numbers of nested lists whose rows are of `shape`. */
export function numbersOf(
  X: readonly unknown[],
  rows: Int32Array | null,
  shape: readonly number[],
  name: string,
): Dense {
  const n = rows ? rows.length : X.length;
  const data = new Float64Array(n * product(shape));
  let at = 0;
  for (const row of picked(X.length, rows)) {
    at = flattenInto(data, at, X[row] as ArrayLike<unknown>, (column) => `${name} row ${row} column ${column}`);
  }
  return { data, shape: [n, ...shape] };
}

/** Number of values in an array of that shape. */
export const product = (shape: readonly number[]) => shape.reduce((values, size) => values * size, 1);

function listShape(list: ArrayLike<unknown>): number[] {
  return list.length > 0 && isList(list[0]) ? [list.length, ...listShape(list[0])] : [list.length];
}

function checkRow(value: unknown, shape: readonly number[], row: number, name: string): void {
  if (!isList(value)) {
    throw new InvalidDataError(sentence(`Row ${row} of ${name}`, 'be an array, as row 0 is', value));
  }
  if (value.length !== shape[0]) {
    throw new InvalidDataError(
      sentence(`Row ${row} of ${name}`, `have ${shape[0]} values, as row 0 has`, { text: String(value.length) }),
      { code: 'ragged_rows' },
    );
  }
  if (shape.length > 1) for (let i = 0; i < value.length; i++) checkRow(value[i], shape.slice(1), row, name);
}

const copyNested = (value: unknown): unknown => (isList(value) ? Array.from(value, copyNested) : value);

function flattenInto(
  out: Float64Array,
  at: number,
  list: ArrayLike<unknown>,
  where: (column: number) => string,
): number {
  for (let i = 0; i < list.length; i++) {
    const cell = list[i];
    if (isList(cell)) at = flattenInto(out, at, cell, where);
    else out[at++] = typeof cell === 'number' ? cell : cellNumber(cell, () => where(i));
  }
  return at;
}

function cellNumber(cell: unknown, where: () => string): number {
  if (typeof cell === 'number') return cell;
  if (cell === null || cell === undefined) return Number.NaN;
  if (typeof cell === 'boolean' || typeof cell === 'bigint') return Number(cell);
  throw new InvalidDataError(sentence(where(), 'be a number', cell, 'Encode text and dates as numbers first.'), {
    code: 'not_numeric',
  });
}

function recordStore(X: readonly unknown[], name: string): Store {
  const names = Object.keys(X[0] as object);
  for (let row = 0; row < X.length; row++) {
    const keys = isPlainObject(X[row]) ? Object.keys(X[row] as object) : [];
    const odd = names.find((key) => !keys.includes(key)) ?? keys.find((key) => !names.includes(key));
    if (odd !== undefined || keys.length !== names.length) {
      throw new InvalidDataError(
        sentence(`Row ${row} of ${name}`, `have the keys of row 0 (${names.length})`, {
          text: `${keys.length}${odd === undefined ? '' : `; they differ in '${odd}'`}`,
        }),
        { code: 'ragged_rows' },
      );
    }
  }
  const records = X as readonly Record<string, unknown>[];
  return {
    length: X.length,
    kind: 'records',
    featureNames: names,
    rowShape: [names.length],
    arrays: async (rows) =>
      Array.from(picked(X.length, rows), (row) =>
        Object.fromEntries(Object.entries(records[row]).map(([key, cell]) => [key, copyNested(cell)])),
      ),
    dense: async (rows) => denseColumns(X.length, rows, names, (row, column) => records[row][names[column]], name),
  };
}

type Columns = [name: string, values: ArrayLike<unknown>][];

function columnStore(kind: 'columns' | 'frame', columns: Columns, name: string): Store {
  const names = columns.map(([column]) => column);
  const n = columns.length > 0 ? columns[0][1]?.length : 0;
  for (const [column, values] of columns) {
    if (!isList(values)) throw new InvalidDataError(sentence(`Column '${column}' of ${name}`, 'be an array', values));
    if (values.length !== n) {
      throw new InvalidDataError(
        sentence(`Column '${column}' of ${name}`, `have ${n} values, as column '${names[0]}' has`, {
          text: String(values.length),
        }),
        { code: 'ragged_rows' },
      );
    }
  }
  return {
    length: n,
    kind,
    featureNames: names,
    rowShape: [names.length],
    arrays: async (rows) => Array.from(picked(n, rows), (row) => columns.map(([, values]) => values[row])),
    dense: async (rows) => denseColumns(n, rows, names, (row, column) => columns[column][1][row], name),
  };
}

function denseColumns(
  length: number,
  rows: Int32Array | null,
  names: readonly string[],
  cell: (row: number, column: number) => unknown,
  name: string,
): Dense {
  const n = rows ? rows.length : length;
  const data = new Float64Array(n * names.length);
  let at = 0;
  for (const row of picked(length, rows)) {
    for (let column = 0; column < names.length; column++) {
      data[at++] = cellNumber(cell(row, column), () => `${name} row ${row} column '${names[column]}'`);
    }
  }
  return { data, shape: [n, names.length] };
}

/** True for `{ data, shape }`. */
export function isDense(X: unknown): X is Dense {
  const { data, shape } = (X ?? {}) as Partial<Dense>;
  return ArrayBuffer.isView(data) && Array.isArray(shape);
}

/** `{ data, shape }` whose data fill the shape; 64-bit integers, as ONNX models give them, are numbers from here on. */
export function checkedDense({ data, shape }: Dense, name: string): Dense {
  const size = product(shape);
  if (size !== data.length) {
    throw new InvalidDataError(
      sentence(name, `hold ${size} values to fill its shape [${shape.join(', ')}]`, { text: String(data.length) }),
      { code: 'ragged_rows' },
    );
  }
  return { data: isBig(data) ? Float64Array.from(data, Number) : data, shape };
}

function denseStore(given: Dense, name: string): Store {
  if (given.shape.length < 2) {
    throw new InvalidDataError(
      sentence(`The shape of ${name}`, 'have two dimensions or more', { text: `[${given.shape}]` }),
    );
  }
  const { data, shape } = checkedDense(given, name);
  const dense = (rows: Int32Array | null) => takeDense({ data, shape }, rows);
  return {
    length: shape[0],
    kind: 'dense',
    rowShape: shape.slice(1),
    dense: async (rows) => dense(rows),
    arrays: async (rows) => nest(dense(rows)),
  };
}

const isBig = (data: unknown): data is BigInt64Array | BigUint64Array =>
  data instanceof BigInt64Array || data instanceof BigUint64Array;

function takeDense({ data, shape }: Dense, rows: Int32Array | null): Dense {
  if (!rows) return { data: data.slice(), shape };
  const width = product(shape.slice(1));
  const out = new (data.constructor as { new (n: number): NumericArray })(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * width;
    if (width < 64) for (let j = 0; j < width; j++) out[i * width + j] = data[from + j];
    else out.set(data.subarray(from, from + width), i * width);
  }
  return { data: out, shape: [rows.length, ...shape.slice(1)] };
}

/** Numbers as nested arrays, one per row. */
export function nest({ data, shape }: Dense): unknown[] {
  const build = (depth: number, from: number): unknown => {
    if (depth === shape.length) return data[from];
    const step = product(shape.slice(depth + 1));
    return Array.from({ length: shape[depth] }, (_, i) => build(depth + 1, from + i * step));
  };
  return build(0, 0) as unknown[];
}

/** True for `tf.Tensor` of any backend. */
export function isTensor(X: unknown): X is TensorLike {
  const tensor = (X ?? {}) as Partial<TensorLike>;
  return Array.isArray(tensor.shape) && typeof tensor.dtype === 'string' && typeof tensor.dataSync === 'function';
}

function tensorStore(tensor: TensorLike, name: string): Store {
  const shape = [...tensor.shape];
  if (shape.length < 2) {
    throw new InvalidDataError(sentence(name, 'be a tensor of rank 2 or more', { text: `rank ${shape.length}` }));
  }
  if (!['float32', 'int32', 'bool'].includes(tensor.dtype)) {
    throw new InvalidDataError(sentence(name, 'be a tensor of numbers', { text: `dtype ${tensor.dtype}` }), {
      code: 'not_numeric',
    });
  }
  let read: Promise<Dense> | undefined;
  const all = () => {
    read ??= tensor.data().then((data) => ({ data: data as NumericArray, shape }));
    return read;
  };
  return {
    length: shape[0],
    kind: 'tensor',
    rowShape: shape.slice(1),
    dense: async (rows) => takeDense(await all(), rows),
    arrays: async (rows) => nest(takeDense(await all(), rows)),
  };
}

function isSource(X: unknown): X is RowSource {
  const source = (X ?? {}) as Partial<RowSource>;
  return typeof source.take === 'function' && Number.isInteger(source.length);
}

function sourceStore(source: RowSource, name: string): Store {
  const { window } = source;
  if (window !== undefined && !(Number.isInteger(window) && window > 0)) {
    throw new InvalidDataError(sentence(`The window of ${name}`, 'be an integer >= 1', window));
  }
  const taken = async <T>(rows: Int32Array | null, read: (got: Rows) => Promise<T>): Promise<T> => {
    const wanted = rows ?? Int32Array.from(picked(source.length, null));
    const given = await takeFrom(source, wanted.slice(), name);
    try {
      const got = rowsOf(given, name);
      if (got.length !== wanted.length) {
        throw new InvalidDataError(
          sentence(`The row source ${name}`, `give ${wanted.length} rows when asked for as many`, {
            text: String(got.length),
          }),
        );
      }
      return await read(got);
    } finally {
      disposeTensors(given);
    }
  };
  return {
    length: source.length,
    kind: 'source',
    window,
    inputs: (rows) => taken(rows, (got) => got.toInputs()),
    dense: (rows) => taken(rows, (got) => got.toDense()),
    arrays: (rows) => taken(rows, (got) => got.toArrays()),
  };
}

async function takeFrom(source: RowSource, wanted: Int32Array, name: string): Promise<RowsInput> {
  try {
    return await source.take(wanted);
  } catch (error) {
    return threw(`The row source ${name}`, 'give the rows asked for', 'source_failed', InvalidDataError)(error);
  }
}

/** A source makes its tensors for the one who asks; those that it marks by `tf.keep` it may give again. */
function disposeTensors(given: unknown): void {
  if (isTensor(given)) {
    const { dispose, kept } = given as Partial<{ dispose(): void; kept: boolean }>;
    if (!kept) dispose?.call(given);
  } else if (isPlainObject(given)) Object.values(given).forEach(disposeTensors);
}

/** What a flat column cannot be: rows with a shape of their own. */
const isInput = (X: unknown): boolean =>
  isList(X) ? isList(X[0]) || isPlainObject(X[0]) : typeof X === 'object' && X !== null;

interface MatrixLike {
  rows: number;
  columns: number;
  get(row: number, column: number): number;
}

function matrixStore(X: unknown): Store | undefined {
  const matrix = (X ?? {}) as MatrixLike;
  if (!Number.isInteger(matrix.rows) || !Number.isInteger(matrix.columns) || typeof matrix.get !== 'function') {
    return undefined;
  }
  const dense = (rows: Int32Array | null): Dense => {
    const n = rows ? rows.length : matrix.rows;
    const data = new Float64Array(n * matrix.columns);
    let at = 0;
    for (const row of picked(matrix.rows, rows)) {
      for (let column = 0; column < matrix.columns; column++) data[at++] = matrix.get(row, column);
    }
    return { data, shape: [n, matrix.columns] };
  };
  return {
    length: matrix.rows,
    kind: 'matrix',
    rowShape: [matrix.columns],
    dense: async (rows) => dense(rows),
    arrays: async (rows) => nest(dense(rows)),
  };
}

// ---- data frames, recognised by what they can do ------------------------------------------------------------------

// biome-ignore lint/suspicious/noExplicitAny: foreign objects are probed for what they can do
type Foreign = any;

function frameColumns(X: unknown): Columns | undefined {
  if (typeof X !== 'object' || X === null) return undefined;
  const frame = X as Foreign;
  const named = (names: readonly string[], column: (name: string) => Foreign): Columns =>
    names.map((name) => [name, listOfColumn(column(name))]);
  // Apache Arrow: Table
  if (frame.schema && Array.isArray(frame.schema.fields) && typeof frame.getChild === 'function') {
    const names = frame.schema.fields.map((field: { name: string }) => field.name);
    return named(names, (name) => frame.getChild(name));
  }
  // arquero: ColumnTable
  if (typeof frame.columnNames === 'function' && typeof frame.array === 'function') {
    return named(frame.columnNames(), (name) => frame.array(name));
  }
  // polars: DataFrame
  if (Array.isArray(frame.columns) && typeof frame.getColumn === 'function') {
    return named(frame.columns, (name) => frame.getColumn(name));
  }
  // data-forge: DataFrame
  if (typeof frame.getColumnNames === 'function' && typeof frame.getSeries === 'function') {
    return named(frame.getColumnNames(), (name) => frame.getSeries(name));
  }
  // danfo: DataFrame
  if (Array.isArray(frame.columns) && Array.isArray(frame.values) && Array.isArray(frame.shape)) {
    const rows = frame.values as unknown[][];
    return frame.columns.map((name: string, at: number) => [String(name), rows.map((row) => row[at])]);
  }
  return undefined;
}

/** A column of a data frame as a plain list. Null stays null; 64-bit integers stay bigint and become numbers later. */
export function listOfColumn(column: Foreign): ArrayLike<unknown> {
  if (isList(column)) return column;
  if (column && typeof column.get === 'function' && Number.isInteger(column.length)) {
    return Array.from({ length: column.length }, (_, i) => column.get(i));
  }
  if (column && typeof column.toArray === 'function') return listOfColumn(column.toArray());
  if (column && isList(column.values)) return column.values;
  throw new InvalidDataError(sentence('A column', 'be readable as an array', column));
}
