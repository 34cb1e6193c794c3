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
  const shadow = { data: new Float64Array(n * count), count };
  const none = new Float64Array(width);
  for (let axis = 0; axis < count; axis += 4) {
    project(
      data,
      [0, 1, 2, 3].map((more) => axes[axis + more] ?? none),
      mean,
      shadow,
      axis,
    );
  }
  return shadow;
}

function covTimes(rows: readonly Float64Array[], axis: Float64Array): Float64Array {
  const next = new Float64Array(axis.length);
  for (const row of rows) {
    const along = dot(row, axis);
    for (let k = 0; k < next.length; k++) next[k] += along * row[k];
  }
  return next;
}

/** Writes the places of all rows along four directions at once, `axis` and the next: each number is read once. */
function project(
  data: Float32Array,
  [p, q, r, s]: readonly Float64Array[],
  mean: Float64Array,
  { data: shadow, count }: Projection,
  axis: number,
): void {
  const width = mean.length;
  const centre = [p, q, r, s].map((each) => dot(mean, each));
  const last = Math.min(4, count - axis);
  const along = new Float64Array(4);
  for (let from = 0, to = axis; from < data.length; from += width, to += count) {
    let alongP = 0;
    let alongQ = 0;
    let alongR = 0;
    let alongS = 0;
    for (let k = 0; k < width; k++) {
      const value = data[from + k];
      alongP += value * p[k];
      alongQ += value * q[k];
      alongR += value * r[k];
      alongS += value * s[k];
    }
    along[0] = alongP;
    along[1] = alongQ;
    along[2] = alongR;
    along[3] = alongS;
    for (let at = 0; at < last; at++) shadow[to + at] = along[at] - centre[at];
  }
}

/** An orthonormal basis of the directions. A direction that the ones before it give already becomes zeros: it adds nothing to a distance. */
function orthonormal(axes: readonly Float64Array[]): Float64Array[] {
  const { basis } = new OrthonormalBasis(axes);
  return axes.map(({ length }, at) => basis[at] ?? new Float64Array(length));
}
