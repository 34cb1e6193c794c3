/** What is compared of a picture: its details, at the same strength everywhere, at two sizes. */
import type { GreyImage } from './alignment.js';
import { turnedTo } from './orientation.js';

/** A picture at its size, and its details at two sizes; all have mean 0 and root mean square 1. */
export interface Picture {
  readonly grey: GreyImage;
  readonly full: GreyImage;
  /** At half the size; at the same for pictures that are small. */
  readonly half: GreyImage;
}

/** Smaller pictures are not halved. */
const LEAST = 12;

export function pictureOf(values: Float32Array, height: number, width: number): Picture {
  const grey = standardised({ height, width, values });
  const small = Math.min(height, width) >= LEAST ? halved(grey) : grey;
  return { grey, full: standardised(detailsOf(grey)), half: standardised(detailsOf(small)) };
}

/** The picture turned and mirrored: see {@link turnedTo}. */
export function oriented(picture: Picture, orientation: number): Picture {
  if (orientation === 0) return picture;
  const turn = ({ height, width, values }: GreyImage): GreyImage => ({
    height,
    width,
    values: turnedTo(values, height, width, orientation),
  });
  const { grey, full, half } = picture;
  return { grey: turn(grey), full: turn(full), half: turn(half) };
}

/** Places within this part of a side from the edge are left out: their details say where the picture ends. */
const MARGIN = 1 / 14;

/** The picture without its margin. */
export function inner({ height, width, values }: GreyImage): GreyImage {
  const margin = Math.floor(Math.min(height, width) * MARGIN);
  const [h, w] = [height - 2 * margin, width - 2 * margin];
  const out = new Float32Array(h * w);
  for (let y = 0; y < h; y++) {
    const from = (y + margin) * width + margin;
    out.set(values.subarray(from, from + w), y * w);
  }
  return { height: h, width: w, values: out };
}

/** The window of what is near, as a part of the longer side, and in pixels at least. */
const WINDOW = { part: 0.1, least: 2 };
/** Part of the mean energy that is added everywhere: where there is no detail, rounding is none. */
const FLOOR = 0.05;

/**
 * What differs from what is near, over its local root mean square, without the margin: light from one side, a burnt-in
 * letter or a black square changes it there alone.
 *
 * Source: Jarrett et al. 2009, ICCV, 2146 (local contrast normalisation).
 */
export function detailsOf({ height, width, values }: GreyImage): GreyImage {
  const radius = Math.max(WINDOW.least, Math.round(WINDOW.part * Math.max(height, width)));
  const twice = (each: Float32Array) => blurred(blurred(each, height, width, radius), height, width, radius);
  const smooth = twice(values);
  const details = blurred(values, height, width, 1);
  let total = 0;
  for (let at = 0; at < details.length; at++) {
    details[at] -= smooth[at];
    total += details[at] ** 2;
  }
  const squares = new Float32Array(details.length);
  for (let at = 0; at < details.length; at++) squares[at] = details[at] * details[at];
  const energy = twice(squares);
  // What is left of a picture of one value is rounding.
  const floor = (FLOOR * total) / details.length + 1e-12;
  for (let at = 0; at < details.length; at++) details[at] /= Math.sqrt(energy[at] + floor);
  return inner({ height, width, values: details });
}

function standardised({ height, width, values }: GreyImage): GreyImage {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < values.length; at++) sum += values[at];
  const mean = sum / values.length;
  for (let at = 0; at < values.length; at++) squares += (values[at] - mean) ** 2;
  const sd = Math.sqrt(squares / values.length) || 1;
  return { height, width, values: values.map((value) => (value - mean) / sd) };
}

/** The mean of each four pixels, smoothed. */
function halved({ height, width, values }: GreyImage): GreyImage {
  const [h, w] = [height >> 1, width >> 1];
  const out = new Float32Array(h * w);
  for (let y = 0, at = 0; y < h; y++) {
    for (let x = 0; x < w; x++, at++) {
      const from = 2 * y * width + 2 * x;
      out[at] = (values[from] + values[from + 1] + values[from + width] + values[from + width + 1]) / 4;
    }
  }
  return { height: h, width: w, values: blurred(out, h, w, 1) };
}

/** The mean over `2 radius + 1` places in each direction, of those there are. */
function blurred(values: Float32Array, height: number, width: number, radius: number): Float32Array {
  return along(along(values, height, width, radius), width, height, radius);
}

/** The mean along rows, transposed. */
function along(values: Float32Array, height: number, width: number, radius: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += values[row + x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += values[row + x + radius];
      if (x > radius) sum -= values[row + x - radius - 1];
      out[x * height + y] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
    }
  }
  return out;
}
