import type { Features } from '../features/columns.js';
import { tableOf } from '../features/features.js';

/** Rows without content: images of one colour, and rows whose every cell is missing. */
export function blankRows(features: Features): Uint8Array {
  const { images = [] } = features;
  const blank = new Uint8Array(features.n).fill(1);
  for (const image of images) for (let row = 0; row < blank.length; row++) blank[row] &= image.blank[row];
  for (const { values } of tableOf(features)) {
    let nBlank = 0;
    for (let row = 0; row < blank.length; row++) {
      if (!Number.isNaN(values[row])) blank[row] = 0;
      nBlank += blank[row];
    }
    if (nBlank === 0) break;
  }
  return blank;
}
