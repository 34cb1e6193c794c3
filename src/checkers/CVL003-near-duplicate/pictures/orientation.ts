/** The eight ways to turn by 90 degrees and mirror a picture: 1 mirrors left and right, 2 up and down, 4 along the diagonal. */
import { COEFFICIENTS, frequencyOf, placeOf } from '../../features/images/perceptual.js';

/** In which of them the second picture, by its low frequencies, is most like the first; negatives count as alike. */
export function orientationOf(first: ArrayLike<number>, second: ArrayLike<number>): number {
  let [best, most] = [0, -1];
  for (let orientation = 0; orientation < 8; orientation++) {
    let sum = 0;
    for (let at = 0; at < COEFFICIENTS; at++) {
      const [k, l] = frequencyOf(at);
      const sign = (orientation & 1 && l % 2 ? -1 : 1) * (orientation & 2 && k % 2 ? -1 : 1);
      sum += first[at] * sign * second[orientation & 4 ? placeOf(l, k) : at];
    }
    if (Math.abs(sum) > most) [best, most] = [orientation, Math.abs(sum)];
  }
  return best;
}

/** A picture in that orientation: first along the diagonal, then mirrored. A picture that is not square is not turned. */
export function turnedTo(grey: Float32Array, height: number, width: number, orientation: number): Float32Array {
  if (orientation === 0 || (orientation & 4 && height !== width)) return grey;
  const out = new Float32Array(grey.length);
  for (let y = 0, at = 0; y < height; y++) {
    const row = orientation & 2 ? height - 1 - y : y;
    for (let x = 0; x < width; x++, at++) {
      const column = orientation & 1 ? width - 1 - x : x;
      out[at] = grey[orientation & 4 ? column * width + row : row * width + column];
    }
  }
  return out;
}
