/** How the levels of text columns are printed: by name where many patients share one, else by what can be said of it. */
import { counted, wholePercent } from '../../core/format.js';
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
 * Words for a level, by column and code: `III (12 % of rows)`, `level 3 of 40 in order of frequency (1 % of rows)` for
 * one that is rare, or `level 3 of 40 (2 patients)` in a column that may hold ids. Those are never printed, nor are rare
 * levels, unless `revealIds` is true. Every check prints levels by this.
 */
export async function levelTexts(input: CheckInput): Promise<(column: Column) => (code: number) => string> {
  const { n } = input.folds;
  const isPrivate = input.revealIds ? () => false : await privateColumns(input);
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
    const isId = isPrivate(column);
    const hidden = isId || (!known && levels.length > FEW_LEVELS);
    const places = placesOf(rows);
    const shareOf = (code: number) => `${atLeastOnePercent(rows[code] / values.length)} of rows`;
    return (code) => {
      const shown = !hidden && rows[code] >= SHARED.rows && units[code].size >= SHARED.patients;
      if (shown || input.revealIds) return `${levels[code]} (${shareOf(code)})`;
      if (isId) return `level ${code + 1} of ${levels.length} (${counted(units[code].size, unit)})`;
      return `level ${places[code]} of ${levels.length} in order of frequency (${shareOf(code)})`;
    };
  };
}

/** From 1, the place of each level among all by its number of rows; of equally many the first in the alphabet first. */
function placesOf(rows: Int32Array): Int32Array {
  const places = new Int32Array(rows.length);
  rowNumbers(rows.length)
    .sort((a, b) => rows[b] - rows[a] || a - b)
    .forEach((code, at) => {
      places[code] = at + 1;
    });
  return places;
}

const atLeastOnePercent = (share: number) => (share < 0.01 ? 'under 1 %' : wholePercent(share));
