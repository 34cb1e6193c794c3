/** What was done to an image after it was taken: a frame around it, or letters and markers burnt into it. */
import type { Column } from '../columns.js';
import type { Layout } from './layout.js';

/** The frame in which markers stand, as a share of each side. */
const MARGIN = 0.15;
/** Fewer pixels are noise; a larger share of the image is its background. */
const PIXELS = { least: 4, share: 0.2 };
/** Values this near to the largest, as a share of the range, are burnt in as it is. */
const FULL = 1 / 512;

export const FRAME = ['border', 'burnt-in pixels'];

const TAKEN = new Set(['brightness', 'sharpness', 'entropy', 'percentile 5', ...FRAME]);

/**
 * Whether a summary says how an image was taken rather than what it shows: a bright lesion makes the maximum, but neither
 * the ground nor the frame.
 */
export const saysHowTaken = ({ name, ofImage }: Column): boolean => {
  const own = name.slice(name.lastIndexOf('.') + 1);
  return ofImage === true && (TAKEN.has(own) || own.startsWith('mean of channel'));
};

/** Whether a summary is of the frame: others have no levels, though values may be tied. */
export const isOfFrame = ({ name }: Column): boolean => FRAME.includes(name.slice(name.lastIndexOf('.') + 1));

/**
 * The share of the image that is border: lines of one value at its four sides. And the number of pixels in the outer 15 %
 * at each side, inside the border, that have the largest value of the image: letters and markers are burnt in so; 0 where
 * there are fewer than four, or where the image has that value elsewhere, too.
 *
 * @param grey `[height, width]` row-major, finite
 */
export function frameOf(grey: Float64Array, low: number, high: number, { height, width }: Layout): readonly number[] {
  if (!(high > low)) return [0, 0];
  const flatRow = (y: number) => flat(grey, y * width, 1, width);
  const flatColumn = (x: number) => flat(grey, x, width, height);
  const [top, bottom] = sides(height, flatRow);
  const [left, right] = sides(width, flatColumn);
  const [inner, across] = [height - top - bottom, width - left - right];
  const border = 1 - (inner * across) / (height * width);
  const [marginY, marginX] = [Math.ceil(MARGIN * inner), Math.ceil(MARGIN * across)];
  const least = high - FULL * (high - low);
  let [outside, inside] = [0, 0];
  for (let y = top; y < height - bottom; y++) {
    for (let x = left; x < width - right; x++) {
      if (grey[y * width + x] < least) continue;
      const middle =
        y >= top + marginY && y < height - bottom - marginY && x >= left + marginX && x < width - right - marginX;
      if (middle) inside++;
      else outside++;
    }
  }
  const marked = outside >= PIXELS.least && inside === 0 && outside <= PIXELS.share * inner * across;
  return [border, marked ? outside : 0];
}

function flat(grey: Float64Array, from: number, step: number, length: number): boolean {
  for (let at = 1; at < length; at++) if (grey[from + at * step] !== grey[from]) return false;
  return true;
}

function sides(length: number, isFlat: (line: number) => boolean): readonly [number, number] {
  let first = 0;
  while (first < length && isFlat(first)) first++;
  let last = length - 1;
  while (last > first && isFlat(last)) last--;
  return [first, length - 1 - last];
}
