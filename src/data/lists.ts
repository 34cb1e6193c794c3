import { InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import { numberOf } from '../core/readNumbers.js';
import { type Dense, product } from './dense.js';

/** Shape of the first row of nested lists. Throws {@link InvalidDataError} for a row of another shape. */
export function rowShapeOf(X: readonly unknown[], name: string): number[] {
  const shape = listShape(X[0] as ArrayLike<unknown>);
  for (let row = 0; row < X.length; row++) {
    if (shape.length > 1) checkSize(X[row], shape, row, name);
    checkRow(X[row], shape, row, name);
  }
  return shape;
}

/** Images and windows of one size: the whole shape is said, since one number of it tells little. */
function checkSize(value: unknown, shape: readonly number[], row: number, name: string): void {
  const own = isList(value) ? listShape(value) : shape;
  if (own.join() === shape.join()) return;
  throw new InvalidDataError(
    sentence(
      `Row ${row} of ${name}`,
      `be of shape [${shape.join(', ')}], as row 0 is`,
      phrase(`[${own.join(', ')}]`),
      'Bring all rows to one size first.',
    ),
    { code: 'ragged_rows' },
  );
}

const listShape = (list: ArrayLike<unknown>): number[] =>
  list.length > 0 && isList(list[0]) ? [list.length, ...listShape(list[0])] : [list.length];

function checkRow(value: unknown, shape: readonly number[], row: number, name: string): void {
  if (!isList(value)) {
    throw new InvalidDataError(sentence(`Row ${row} of ${name}`, 'be an array, as row 0 is', kindOf(value)));
  }
  if (value.length !== shape[0]) {
    throw new InvalidDataError(
      sentence(`Row ${row} of ${name}`, `have ${shape[0]} values, as row 0 has`, phrase(String(value.length))),
      { code: 'ragged_rows' },
    );
  }
  if (shape.length > 1) for (let i = 0; i < value.length; i++) checkRow(value[i], shape.slice(1), row, name);
}

export function numbersOf(
  X: readonly unknown[],
  rows: Int32Array | null,
  shape: readonly number[],
  name: string,
  featureNames?: readonly string[],
): Dense {
  const n = rows ? rows.length : X.length;
  const data = new Float64Array(n * product(shape));
  let at = 0;
  for (const row of picked(X.length, rows)) {
    at = flattenInto(data, at, X[row] as ArrayLike<unknown>, (column) => {
      const which = featureNames ? `'${featureNames[column]}'` : column;
      return `${name} row ${row} column ${which}`;
    });
  }
  return { data, shape: [n, ...shape] };
}

/** The row numbers `rows`, or all of 0 ... n-1 when they are null. */
export function* picked(n: number, rows: Int32Array | null): Generator<number> {
  if (rows) yield* rows;
  else for (let row = 0; row < n; row++) yield row;
}

export function mapRows<T>(n: number, rows: Int32Array | null, read: (row: number) => T): T[] {
  const out = new Array<T>(rows ? rows.length : n);
  for (let i = 0; i < out.length; i++) out[i] = read(rows ? rows[i] : i);
  return out;
}

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

/** A cell as a number, NaN where it is missing; the error for text and dates says `where` it stands. */
export function cellNumber(cell: unknown, where: () => string): number {
  if (typeof cell === 'number') return cell;
  if (cell === null || cell === undefined) return Number.NaN;
  if (typeof cell === 'boolean') return Number(cell);
  const number = numberOf(cell);
  if (!Number.isNaN(number)) return number;
  throw new InvalidDataError(
    sentence(
      where(),
      'be a number',
      kindOf(cell),
      'Encode text inside the folds, as `preprocessing: tabular()` does, and dates as numbers.',
    ),
    { code: 'not_numeric' },
  );
}

export type Columns = [name: string, values: ArrayLike<unknown>][];

// biome-ignore lint/suspicious/noExplicitAny: objects of other libraries are asked what they can do
type Foreign = any;

/** The columns of a data frame; undefined for anything else. */
export function frameColumns(X: unknown): Columns | undefined {
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
  throw new InvalidDataError(sentence('A column', 'be readable as an array', kindOf(column)));
}
