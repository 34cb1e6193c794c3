/** Sums of multiples of vectors, by an orthonormal basis (Gram and Schmidt). */
import { mean } from '../../core/numbers.js';

/** What is left of a vector below this share of its length is rounding error: the vector is a sum of the others. */
const ROUNDING = 1e-12;

export class OrthonormalBasis {
  readonly basis: Float64Array[] = [];

  constructor(vectors: readonly Float64Array[] = []) {
    for (const vector of vectors) this.add(vector);
  }

  /** Takes in what the basis does not give of a vector, its `rest`, if there is any. */
  add(vector: Float64Array, rest = this.rest(vector)): void {
    const size = norm(rest);
    if (size > ROUNDING * norm(vector)) this.basis.push(rest.map((value) => value / size));
  }

  /** The vector less the nearest of the sums; twice, for the rounding errors of the first time. */
  rest(vector: Float64Array): Float64Array {
    const rest = vector.slice();
    for (let time = 0; time < 2; time++) {
      for (const axis of this.basis) {
        const along = dot(rest, axis);
        for (let at = 0; at < rest.length; at++) rest[at] -= along * axis[at];
      }
    }
    return rest;
  }
}

/** Without squares, which would be 0 for tiny numbers and infinite for huge ones. */
function norm(a: Float64Array): number {
  let largest = 0;
  for (let at = 0; at < a.length; at++) largest = Math.max(largest, Math.abs(a[at]));
  if (!(largest > 0 && largest < Infinity)) return largest;
  let squares = 0;
  for (let at = 0; at < a.length; at++) squares += (a[at] / largest) ** 2;
  return largest * Math.sqrt(squares);
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

/** Values less their mean. */
export function centred(values: Float64Array): Float64Array {
  const centre = mean(values);
  return values.map((value) => value - centre);
}

/** The products of columns of equal length with each other, `[width, width]` row-major: the lower triangle, 0 above. */
export function gram(columns: readonly Float64Array[]): Float64Array {
  const width = columns.length;
  const products = new Float64Array(width * width);
  for (let i = 0; i < width; i++) for (let j = 0; j <= i; j++) products[i * width + j] = dot(columns[i], columns[j]);
  return products;
}
