import type { Features } from '../features.js';

/** So many cells of one value are no coincidence of a narrow table. */
const WIDE = 4;

/** Rows without content: images of one colour, rows whose every cell is missing, wide rows of one number throughout. */
export function blankRows({ n, columns, images }: Features): Uint8Array {
  if (images) return images.blank;
  const blank = new Uint8Array(n);
  for (let row = 0; row < n; row++) blank[row] = isBlank(columns, row) ? 1 : 0;
  return blank;
}

function isBlank(columns: Features['columns'], row: number): boolean {
  let first = Number.NaN;
  for (const { kind, values } of columns) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    if (kind === 'category' || columns.length < WIDE || (!Number.isNaN(first) && value !== first)) return false;
    first = value;
  }
  return true;
}
