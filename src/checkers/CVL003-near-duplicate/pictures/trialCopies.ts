/** Copies of the pictures themselves, made to see whether copies like them would be found. */
import { type RandomSource, sample } from '../../../core/random.js';
import { type GreyImage, type Transform, warp } from './alignment.js';
import { pictureOf } from './localDetails.js';
import type { Pictures } from './registeredPairs.js';
import { register, registerCoarsely } from './registration.js';

/** How many copies are made, and of how many of them are found. */
export interface Trial {
  readonly found: number;
  readonly of: number;
}

const COPIES = 30;
/** Furthest shift as a part of the side, turn in radians (5 degrees), and zoom; noise as a part of the contrast. */
const [SHIFT, TURN, ZOOM, NOISE] = [1 / 32, 0.087, 1.15, 0.1];

/**
 * Copies of some rows, each shifted, turned and cropped a little and with noise.
 *
 * @param isFound whether a copy at that distance from its original would be accused
 */
export function trialCopies(
  rows: Int32Array,
  pictures: Pictures,
  random: RandomSource,
  isFound: (row: number, gap: number) => boolean,
): Trial {
  const chosen = sample(random, rows.length, Math.min(COPIES, rows.length));
  let found = 0;
  for (const at of chosen) {
    const { grey } = pictures.at(rows[at]);
    const copy = pictureOf(copyOf(grey, random), grey.height, grey.width);
    const target = pictures.target(rows[at]);
    const { likeness } = register(target, copy, registerCoarsely(target, copy).transform);
    if (isFound(rows[at], Math.sqrt(1 - Math.min(likeness, 1)))) found++;
  }
  return { found, of: chosen.length };
}

function copyOf(grey: GreyImage, random: RandomSource): Float32Array {
  const within = (most: number) => most * (2 * random.random() - 1);
  const [turn, zoom] = [within(TURN), ZOOM ** -random.random()];
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
