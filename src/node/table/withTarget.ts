/** Rows without a target are left out before the cells of the others tell what a column is: a row of totals must not. */
import { InvalidDataError, phrase, sentence, show } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import type { OptionsOf } from '../../core/options.js';
import { CellColumn, cellRules } from './cellColumn.js';
import type { ReadPlan } from './csvFile.js';
import { missingIn, type RawColumn, type RawTable } from './rawTable.js';
import type { readTableOptions } from './readTableOptions.js';

/** The rows that have a target. */
export function withTarget(table: RawTable, options: OptionsOf<typeof readTableOptions>, plan: ReadPlan): RawTable {
  const target = table.columns.find(({ name }) => name === options.target);
  const { first, count } = target ? missingIn(target) : { first: 0, count: 0 };
  if (!target || count === 0) return table;
  if (options.missingTarget === 'refuse' || count === table.length) {
    const got = `${counted(count, 'row')} of ${table.length} without, first in ${table.placeOf(first).toLowerCase()}`;
    const way = count < table.length ? "Pass `missingTarget: 'drop'` to leave them out." : undefined;
    throw new InvalidDataError(
      sentence(`The target ${show(target.name)}`, 'have a value in every row', phrase(got), way),
      { code: 'missing_target' },
    );
  }
  const { cells } = target;
  const rows = Int32Array.from({ length: table.length }, (_, row) => row).filter(
    (row) => cells[row] !== null && !Number.isNaN(cells[row]),
  );
  const placeOf = (row: number) => table.placeOf(rows[row]);
  const comma = table.dialect.includes('decimal comma');
  const rules = cellRules([], { comma, expectedRows: rows.length, placeOf });
  const columns = table.columns.map((column) => {
    const taken = takeRows(column, rows);
    const isMixed = table.format === 'csv' || column.notes.some((note) => note.includes('several kinds'));
    return column.stored === 'text' && isMixed && !plan.known.has(column.name) ? readAgain(taken, rules) : taken;
  });
  return { ...table, length: rows.length, columns, placeOf };
}

function takeRows(column: RawColumn, rows: Int32Array): RawColumn {
  const { cells } = column;
  const numbers = cells instanceof Float64Array;
  const taken = numbers ? Float64Array.from(rows, (row) => cells[row]) : Array.from(rows, (row) => cells[row]);
  return { ...column, cells: taken };
}

/** Numbers where nothing else remains, else the column as it is. */
function readAgain(column: RawColumn, rules: CellColumn['rules']): RawColumn {
  const again = new CellColumn(column.name, rules, undefined);
  (column.cells as (string | null)[]).forEach((cell, row) => {
    again.add(cell ?? '', row);
  });
  const read = again.raw();
  return again.conflict || read.stored === 'text' ? column : { ...read, marks: column.marks };
}
