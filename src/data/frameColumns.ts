/** Data frames, recognised by what they can do: none of their libraries is imported. */
import { InvalidDataError, kindOf, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';

/** Columns with their names, in order. */
export type Columns = [name: string, values: ArrayLike<unknown>][];

// biome-ignore lint/suspicious/noExplicitAny: foreign objects are probed for what they can do
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
