/** How the levels of text columns are printed: by what can be said of them, as a cell may be a name. */
import { counted, wholePercent } from '../../core/format.js';
import { rowNumbers } from '../../data/labels.js';
import { patientsOf } from '../../data/sideData.js';
import { privateColumns } from '../CVL011-identifier/identifierColumns.js';
import type { CheckInput } from '../checkInput.js';
import type { Column } from './columns.js';

/**
 * Words for a level, by column and code: `level 3 of 40 in order of frequency (1 % of rows)`, or `level 3 of 40 (2 patients)`
 * in a column that may hold ids. The text itself is printed with `revealIds: true` alone, `III (12 % of rows)`: no rule
 * tells a name of many rows from a stage. Every check prints levels by this.
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
    const places = placesOf(rows);
    const shareOf = (code: number) => `${atLeastOnePercent(rows[code] / values.length)} of rows`;
    return (code) => {
      if (input.revealIds) return `${levels[code]} (${shareOf(code)})`;
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
