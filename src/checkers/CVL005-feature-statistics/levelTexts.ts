/** How the levels of text columns are printed: by name where many patients share one, else by what can be said of it. */
import { counted } from '../../core/format.js';
import { rowNumbers } from '../../data/labels.js';
import { patientsOf } from '../../data/sideData.js';
import { privateColumns } from '../CVL011-identifier/identifierColumns.js';
import type { CheckInput } from '../checkInput.js';
import type { Column } from '../features/columns.js';

/** A level is printed where so many rows of so many patients have it: a rarer one can tell who somebody is. */
const SHARED = { rows: 10, patients: 5 };
/** Where nobody named the patients, rows may be of one: levels are printed of columns of so few alone. */
const FEW_LEVELS = 12;

/**
 * Words for a level, by column and code: its text, or `level 3 of 40 (2 patients)`. Columns that may hold ids are
 * never printed, nor are rare levels, unless `revealIds` is true. Every check prints levels by this.
 */
export async function levelTexts(input: CheckInput): Promise<(column: Column) => (code: number) => string> {
  if (input.revealIds)
    return ({ levels = [] }) =>
      (code) =>
        levels[code];
  const { n } = input.folds;
  const isPrivate = await privateColumns(input);
  const known = input.independentRows ? { codes: rowNumbers(n) } : patientsOf(input.data, n);
  const unit = known && !input.independentRows ? 'patient' : 'row';
  return (column) => {
    const { values, levels = [] } = column;
    const rows = new Int32Array(levels.length);
    const units = levels.map(() => new Set<number>());
    values.forEach((code, row) => {
      if (Number.isNaN(code)) return;
      rows[code]++;
      units[code].add(known ? known.codes[row] : row);
    });
    const hidden = isPrivate(column) || (!known && levels.length > FEW_LEVELS);
    return (code) =>
      !hidden && rows[code] >= SHARED.rows && units[code].size >= SHARED.patients
        ? levels[code]
        : `level ${code + 1} of ${levels.length} (${counted(units[code].size, unit)})`;
  };
}
