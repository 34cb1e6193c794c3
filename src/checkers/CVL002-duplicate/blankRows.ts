import type { Features } from '../features/columns.js';
import { tableOf } from '../features/features.js';

/** Rows without content: images of one colour, and rows whose every cell is missing. */
export function blankRows(features: Features): Uint8Array {
  const { images = [] } = features;
  const table = tableOf(features);
  return Uint8Array.from({ length: features.n }, (_, row) =>
    images.every(({ blank }) => blank[row] === 1) && table.every(({ values }) => Number.isNaN(values[row])) ? 1 : 0,
  );
}
