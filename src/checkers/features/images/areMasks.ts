import type { ImageFeatures } from '../columns.js';

/** Fewer say nothing of the others. */
const LEAST = 10;

/** Most images that are not of one value have two: masks, some of which are empty because there is nothing to mark. */
export function areMasks({ blank, perceptual: { pixelStep } }: ImageFeatures): boolean {
  let [shown, two] = [0, 0];
  for (let row = 0; row < blank.length; row++) {
    shown += 1 - blank[row];
    if (pixelStep[row] > 0) two++;
  }
  return two >= LEAST && two > shown / 2;
}
