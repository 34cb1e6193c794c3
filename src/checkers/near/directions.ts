/** The rows along a few directions in which they differ most: distances there are never larger than the true ones. */
import type { RandomSource } from '../../core/random.js';
import { dot, Span } from '../span.js';

/** Rows along orthonormal directions, `[n, count]`, row-major. */
export interface Shadow {
  readonly data: Float64Array;
  readonly count: number;
}

/** Directions are learnt from this many rows, in so many rounds. */
const [SAMPLE, ROUNDS] = [300, 2];

/**
 * Projects `[n, width]` rows, less their mean, on `count` orthonormal directions, about their first principal components
 * in descending order. Any orthonormal directions give a true lower bound; these make it a tight one.
 *
 * Source: Halko, Martinsson & Tropp 2011, SIAM Review 53:217 (randomised subspace iteration).
 */
export function shadowOf(data: Float32Array, width: number, count: number, random: RandomSource): Shadow {
  const n = data.length / width;
  const step = Math.max(1, n / SAMPLE);
  const rows = Array.from({ length: Math.min(n, SAMPLE) }, (_, at) => Math.floor(at * step) * width);
  const mean = new Float64Array(width);
  for (const from of rows) for (let k = 0; k < width; k++) mean[k] += data[from + k] / rows.length;
  let axes: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length: width }, () => random.random() - 0.5),
  );
  for (let round = 0; round < ROUNDS; round++) {
    axes = orthonormal(axes).map((axis) => {
      const next = new Float64Array(width);
      for (const from of rows) {
        let along = 0;
        for (let k = 0; k < width; k++) along += (data[from + k] - mean[k]) * axis[k];
        for (let k = 0; k < width; k++) next[k] += along * (data[from + k] - mean[k]);
      }
      return next;
    });
  }
  axes = orthonormal(axes);
  const centre = axes.map((axis) => dot(mean, axis));
  const shadow = new Float64Array(n * count);
  const none = new Float64Array(width);
  for (let axis = 0; axis < count; axis += 4) {
    // Four directions at a time: each number of a row is read once for all of them.
    const [p, q, r, s] = [0, 1, 2, 3].map((more) => axes[axis + more] ?? none);
    for (let row = 0; row < n; row++) {
      let alongP = 0;
      let alongQ = 0;
      let alongR = 0;
      let alongS = 0;
      for (let k = 0, at = row * width; k < width; k++, at++) {
        const value = data[at];
        alongP += value * p[k];
        alongQ += value * q[k];
        alongR += value * r[k];
        alongS += value * s[k];
      }
      const to = row * count + axis;
      shadow[to] = alongP - centre[axis];
      if (axis + 1 < count) shadow[to + 1] = alongQ - centre[axis + 1];
      if (axis + 2 < count) shadow[to + 2] = alongR - centre[axis + 2];
      if (axis + 3 < count) shadow[to + 3] = alongS - centre[axis + 3];
    }
  }
  return { data: shadow, count };
}

/** An orthonormal basis of the directions; zeros, which bound nothing, where one is none of its own. */
function orthonormal(axes: readonly Float64Array[]): Float64Array[] {
  const { basis } = new Span(axes);
  return axes.map(({ length }, at) => basis[at] ?? new Float64Array(length));
}
