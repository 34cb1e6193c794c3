/** Copies of the pictures themselves, made to see whether copies like them would be found. */

import { power } from '../../../core/numbers.js';
import { type RandomSource, sample } from '../../../core/random.js';
import type { Trial } from '../searchPoints.js';
import { type GreyImage, type Transform, warp } from './alignment.js';

const [COPIES, COVERED] = [30, 15];
/** Furthest shift as a part of the side, turn in radians (5 degrees), and zoom; noise as a part of the contrast. */
const [SHIFT, TURN, ZOOM, NOISE] = [1 / 32, 0.087, 1.15, 0.1];
/** The same in words. */
export const MOVED =
  'shifted by up to 3 % of a side, turned by up to 5 degrees, cropped by up to 13 % and with noise of a tenth of the contrast';
/** Side of a black square, as a part of the side of the picture. */
const SQUARE = 1 / 4;

/**
 * Copies of some rows: each moved, with noise; of some others each with a black square.
 *
 * @param greyOf a picture of a row
 * @param isFound whether that copy would be accused as one of that row, if it were among the pictures
 */
export function trialCopies(
  rows: Int32Array,
  greyOf: (row: number) => GreyImage,
  random: RandomSource,
  isFound: (row: number, copy: Float32Array) => boolean,
): Trial {
  const tried = (copies: number, copyOf: (grey: GreyImage, random: RandomSource) => Float32Array) => {
    const chosen = sample(random, rows.length, Math.min(copies, rows.length));
    let found = 0;
    for (const at of chosen) if (isFound(rows[at], copyOf(greyOf(rows[at]), random))) found++;
    return { found, of: chosen.length };
  };
  return { ...tried(COPIES, moved), covered: tried(COVERED, covered) };
}

function moved(grey: GreyImage, random: RandomSource): Float32Array {
  const within = (most: number) => most * (2 * random.random() - 1);
  const [turn, zoom] = [within(TURN), power(ZOOM, -random.random())];
  const side = Math.max(grey.height, grey.width);
  const transform: Transform = {
    a: zoom * Math.cos(turn),
    b: zoom * Math.sin(turn),
    dy: within(SHIFT * side),
    dx: within(SHIFT * side),
  };
  const out = new Float32Array(grey.values.length);
  warp(grey, transform, out, new Uint8Array(out.length));
  // Uniform noise of that root mean square.
  return out.map((value) => value + within(NOISE * Math.sqrt(3)));
}

function covered({ height, width, values }: GreyImage, random: RandomSource): Float32Array {
  const [tall, wide] = [Math.round(SQUARE * height), Math.round(SQUARE * width)];
  const top = Math.floor(random.random() * (height - tall + 1));
  const left = Math.floor(random.random() * (width - wide + 1));
  const black = values.reduce((least, value) => Math.min(least, value), Infinity);
  const out = Float32Array.from(values);
  for (let y = top; y < top + tall; y++) out.fill(black, y * width + left, y * width + left + wide);
  return out;
}
