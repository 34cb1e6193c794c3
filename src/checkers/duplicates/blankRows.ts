import { type Column, type Features, tableOf } from '../features.js';

/** So many cells of one value are no coincidence of a narrow table. */
const WIDE = 4;

/** Rows without content: images of one colour, rows whose every cell is missing, wide rows of one number throughout. */
export function blankRows(features: Features): Uint8Array {
  const { images = [] } = features;
  const table = tableOf(features);
  const isEmpty = (row: number) => images.every(({ blank }) => blank[row] === 1) && isBlank(table, row);
  return Uint8Array.from({ length: features.n }, (_, row) => (isEmpty(row) ? 1 : 0));
}

function isBlank(columns: readonly Column[], row: number): boolean {
  let first = Number.NaN;
  for (const { kind, values } of columns) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    if (kind === 'category' || columns.length < WIDE || (!Number.isNaN(first) && value !== first)) return false;
    first = value;
  }
  return true;
}
