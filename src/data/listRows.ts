/** Rows of lists, records and columns. */
import { nameText } from '../core/foreignText.js';
import { isList } from '../core/options.js';
import { cellNumber, mapRows, numbersOf, picked } from './nestedLists.js';
import type { FoundAs } from './rowKinds.js';
import type { Dense, RowReader } from './rows.js';

export const arrayReader = (
  { content, length, rowShape, featureNames }: FoundAs<'arrays'>,
  name: string,
): RowReader => ({
  arrays: async (rows) => mapRows(length, rows, (row) => copyNested(content[row])),
  dense: async (rows) => numbersOf(content, rows, rowShape, name, featureNames),
});

export const recordReader = ({ content, length, featureNames }: FoundAs<'records'>, name: string): RowReader => ({
  arrays: async (rows) =>
    mapRows(length, rows, (row) =>
      Object.fromEntries(Object.entries(content[row]).map(([key, cell]) => [key, copyNested(cell)])),
    ),
  dense: async (rows) =>
    denseColumns(length, rows, featureNames, (row, column) => content[row][featureNames[column]], name),
});

export const columnReader = (found: FoundAs<'columns' | 'frame'>, name: string): RowReader => {
  const { content, length, featureNames } = found;
  return {
    arrays: async (rows) => mapRows(length, rows, (row) => content.map(([, values]) => values[row])),
    dense: async (rows) => denseColumns(length, rows, featureNames, (row, column) => content[column][1][row], name),
  };
};

/**
 * A fresh copy. The list is copied as a whole and only lists within it are copied again: leave-one-out reads n rows n
 * times, and a call for every cell would take ten times as long.
 */
function copyNested(value: unknown): unknown {
  if (!isList(value)) return value;
  const copy = Array.isArray(value) ? [...value] : Array.from(value);
  for (let i = 0; i < copy.length; i++) if (typeof copy[i] === 'object') copy[i] = copyNested(copy[i]);
  return copy;
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
      data[at++] = cellNumber(cell(row, column), () => `${name} row ${row} column '${nameText(names[column])}'`);
    }
  }
  return { data, shape: [n, names.length] };
}
