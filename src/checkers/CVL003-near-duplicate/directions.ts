/** The rows along a few directions in which they differ most: distances there are never larger than the true ones. */
import type { RandomSource } from '../../core/random.js';
import { dot, OrthonormalBasis } from '../features/orthonormalBasis.js';

/** Rows along orthonormal directions, `[n, count]`, row-major. */
export interface Projection {
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
export function projectOntoPcs(data: Float32Array, width: number, count: number, random: RandomSource): Projection {
  const n = data.length / width;
  const step = Math.max(1, n / SAMPLE);
  const rows = Array.from({ length: Math.min(n, SAMPLE) }, (_, at) => Math.floor(at * step) * width);
  const mean = new Float64Array(width);
  for (const from of rows) for (let k = 0; k < width; k++) mean[k] += data[from + k] / rows.length;
  const centred = rows.map((from) => mean.map((value, k) => data[from + k] - value));
  let axes: Float64Array[] = Array.from({ length: count }, () =>
    Float64Array.from({ length: width }, () => random.random() - 0.5),
  );
  for (let round = 0; round < ROUNDS; round++) axes = orthonormal(axes).map((axis) => covTimes(centred, axis));
  axes = orthonormal(axes);
  const centre = axes.map((axis) => dot(mean, axis));
  const along = new Float64Array(n * count);
  for (let row = 0; row < n; row++) {
    for (let at = 0; at < count; at++) along[row * count + at] = product(data, row * width, axes[at]) - centre[at];
  }
  return { data: along, count };
}

function product(data: Float32Array, from: number, axis: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < axis.length; k++) sum += data[from + k] * axis[k];
  return sum;
}

function covTimes(rows: readonly Float64Array[], axis: Float64Array): Float64Array {
  const next = new Float64Array(axis.length);
  for (const row of rows) {
    const along = dot(row, axis);
    for (let k = 0; k < next.length; k++) next[k] += along * row[k];
  }
  return next;
}

/** An orthonormal basis of the directions. A direction that the ones before it give already becomes zeros: it adds nothing to a distance. */
function orthonormal(axes: readonly Float64Array[]): Float64Array[] {
  const { basis } = new OrthonormalBasis(axes);
  return axes.map(({ length }, at) => basis[at] ?? new Float64Array(length));
}
