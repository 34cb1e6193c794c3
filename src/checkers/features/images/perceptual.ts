/** What a reader would recognise an image by: its low frequencies, free of brightness and contrast. */
import { median } from '../../../core/median.js';
import { power } from '../../../core/numbers.js';

/** The image is averaged to so many pixels a side, of which so many frequencies a side are kept. */
const SMALL = 32;
const KEPT = 8;
/** Frequencies but the constant one. */
export const COEFFICIENTS = KEPT * KEPT - 1;
/** Low frequencies below this share of the values are rounding errors. */
const ROUNDING = 1e-6;

/**
 * Gives what writes the low frequencies of grey images of one size: the coefficients of the orthonormal DCT-II of the image
 * averaged to 32 x 32, the 8 x 8 lowest but the constant one, row-major, over their Euclidean norm; zeros for an image without
 * any. It returns how far about one pixel moves them that changes by `step`. Images are `[height, width]` row-major, finite.
 */
export function lowFrequencies(height: number, width: number) {
  const [down, across] = [basis(height), basis(width)];
  const [ofDown, ofAcross] = [meanSquares(down, height), meanSquares(across, width)];
  // Root of the mean square norm of the coefficients of one pixel.
  const pixel = Math.sqrt(ofDown.all * ofAcross.all - ofDown.constant * ofAcross.constant);
  return (grey: Float64Array, step: number, out: Float32Array, from: number): number => {
    const rows = new Float64Array(KEPT * width);
    let largest = 0;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        largest = Math.max(largest, Math.abs(grey[at]));
        for (let k = 0; k < KEPT; k++) rows[k * width + x] += down[k * height + y] * grey[at];
      }
    }
    const found = new Float64Array(COEFFICIENTS);
    for (let at = 0; at < COEFFICIENTS; at++) {
      const [k, l] = frequencyOf(at);
      for (let x = 0; x < width; x++) found[at] += rows[k * width + x] * across[l * width + x];
    }
    const norm = Math.sqrt(found.reduce((sum, value) => sum + value * value, 0));
    if (!(norm > ROUNDING * largest)) return 0;
    out.set(
      found.map((value) => value / norm),
      from,
    );
    return (step * pixel) / norm;
  };
}

/** Mean over the pixels of a line of the sum of their squared coefficients, and of the first one's alone. */
function meanSquares(lines: Float64Array, size: number) {
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value * value, 0) / size;
  return { all: sum(lines), constant: sum(lines.subarray(0, size)) };
}

/** `[8, size]`: a line of that many pixels averaged by area to 32, and then its lowest frequencies. */
function basis(size: number): Float64Array {
  const out = new Float64Array(KEPT * size);
  for (let cell = 0; cell < SMALL; cell++) {
    const [from, to] = [(cell * size) / SMALL, ((cell + 1) * size) / SMALL];
    for (let pixel = Math.floor(from); pixel < Math.min(size, Math.ceil(to)); pixel++) {
      const share = (Math.min(to, pixel + 1) - Math.max(from, pixel)) / (to - from);
      for (let k = 0; k < KEPT; k++) {
        const scale = Math.sqrt((k === 0 ? 1 : 2) / SMALL);
        out[k * size + pixel] += share * scale * Math.cos((Math.PI * k * (2 * cell + 1)) / (2 * SMALL));
      }
    }
  }
  return out;
}

/**
 * The low frequencies of the image once it is turned and mirrored to a position of its own, and inverted if need be:
 * equal for copies that were mirrored, turned by 90 degrees or inverted.
 */
export function upright(coefficients: ArrayLike<number>): Float32Array {
  // Mirroring turns the sign of odd frequencies, inverting that of all.
  const skew = [
    [0, 0],
    [0, 0],
  ];
  let lying = 0;
  for (let at = 0; at < COEFFICIENTS; at++) {
    const [k, l] = frequencyOf(at);
    skew[k % 2][l % 2] += power(coefficients[at], 3);
    lying += Math.sign(l - k) * coefficients[at] ** 2;
  }
  const signOf = (value: number) => (value < 0 ? -1 : 1);
  const invert = signOf(skew[0][0]);
  const [across, down] = [invert * signOf(skew[0][1]), invert * signOf(skew[1][0])];
  const out = new Float32Array(COEFFICIENTS);
  for (let at = 0; at < COEFFICIENTS; at++) {
    const [k, l] = frequencyOf(at);
    const value = invert * (l % 2 ? across : 1) * (k % 2 ? down : 1) * coefficients[at];
    out[lying > 0 ? coefficientAt(l, k) : at] = value;
  }
  return out;
}

/** Rows and columns of waves of a coefficient. */
export const frequencyOf = (at: number): readonly [number, number] => [Math.floor((at + 1) / KEPT), (at + 1) % KEPT];

/** The place of the coefficient of so many waves, not both 0. */
export const coefficientAt = (rows: number, columns: number) => rows * KEPT + columns - 1;

/**
 * In how many of 64 bits two images differ by their perceptual hashes, however they were turned: for each of their low
 * frequencies whether it lies above their median; the bit of the constant one is 0. Images that look alike differ in few.
 *
 * Source: Zauner 2010, Implementation and Benchmarking of Perceptual Image Hash Functions, section 3.2.1.
 *
 * @param a the 63 numbers of an image in `ImageFeatures.perceptual`
 */
export function differingBits(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [first, second] = [a, b].map((coefficients) => {
    const own = Float64Array.from(upright(coefficients));
    const middle = median(own);
    return Array.from(own, (value) => value > middle);
  });
  return first.filter((bit, at) => bit !== second[at]).length;
}
