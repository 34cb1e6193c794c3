import { type InvalidDataError, invalidData } from '../core/errors.js';
import { numberOf } from '../core/readNumbers.js';
import type { Dense } from './dense.js';
import { mapRows } from './lists.js';
import { byRowBlocks } from './rowBlocks.js';
import type { ColumnValues } from './rowKinds.js';

/** Whether a cell holds nothing: NaN, null, undefined or ''. */
export const isMissing = (cell: unknown): boolean =>
  cell === null || cell === undefined || cell === '' || (typeof cell === 'number' && Number.isNaN(cell));

/** The columns of `width` cells per row: numbers where all cells that are not missing are, lists else. */
export function asColumns(
  length: number,
  rows: Int32Array | null,
  width: number,
  cell: (row: number, column: number) => unknown,
): ColumnValues[] {
  const n = rows ? rows.length : length;
  return Array.from({ length: width }, (_, column) =>
    asColumn(n, rows ? (at) => cell(rows[at], column) : (at) => cell(at, column)),
  );
}

/** Texts that are categories because the caller called them so when they were read, numbers or not. */
const coded = new WeakSet<object>();
export const areCodes = (column: object): boolean => coded.has(column);
export function asCodes<C extends object>(column: C): C {
  coded.add(column);
  return column;
}

/** One column of {@link asColumns} from its list of cells. */
export function listAsColumn(cells: ArrayLike<unknown>, rows: Int32Array | null): ColumnValues {
  if (!rows && cells instanceof Float64Array) return cells.slice();
  const column = asColumn(rows ? rows.length : cells.length, rows ? (at) => cells[rows[at]] : (at) => cells[at]);
  return areCodes(cells) ? asCodes(column) : column;
}

function asColumn(n: number, cell: (at: number) => unknown): ColumnValues {
  const numbers = new Float64Array(n);
  for (let at = 0; at < n; at++) {
    const value = cell(at);
    if (typeof value === 'number') numbers[at] = value;
    else if (isMissing(value)) numbers[at] = Number.NaN;
    else if (typeof value === 'boolean') numbers[at] = Number(value);
    else numbers[at] = numberOf(value);
    if (Number.isNaN(numbers[at]) && !isMissing(value)) return mapRows(n, null, cell);
  }
  return numbers;
}

export function listsAsColumns(
  X: readonly ArrayLike<unknown>[],
  rows: Int32Array | null,
  width: number,
): ColumnValues[] {
  const n = rows ? rows.length : X.length;
  const columns = Array.from({ length: width }, () => new Float64Array(n));
  const others = new Set<number>();
  byRowBlocks(n, (from, to) => {
    columns.forEach((numbers, column) => {
      for (let at = from; at < to; at++) {
        const value = X[rows ? rows[at] : at][column];
        if (typeof value === 'number') numbers[at] = value;
        else others.add(column);
      }
    });
  });
  return columns.map((numbers, column) =>
    others.has(column) ? asColumn(n, (at) => X[rows ? rows[at] : at][column]) : numbers,
  );
}

export function denseAsColumns({ data, shape }: Dense): ColumnValues[] {
  checkTable(shape.slice(1), 'X');
  const [n, width] = shape;
  const columns = Array.from({ length: width }, () => new Float64Array(n));
  byRowBlocks(n, (from, to) => {
    columns.forEach((numbers, column) => {
      for (let row = from, at = from * width + column; row < to; row++, at += width) numbers[row] = data[at];
    });
  });
  return columns;
}

export function checkTable(rowShape: readonly number[], name: string): void {
  if (rowShape.length !== 1) throw notATable(`rows of shape [${rowShape.join(', ')}]`, name, TO_VECTORS);
}

export const TO_VECTORS =
  'Flatten each row by a FunctionTransformer, take the vectors of an OnnxEmbedding, or scale images by ChannelScaler and sequences by SequenceScaler.';

export const notATable = (got: string, name = 'X', way?: string): InvalidDataError =>
  invalidData('not_a_table', name, 'be a table, one cell per row and column', got, way);
