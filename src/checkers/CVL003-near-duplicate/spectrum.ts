/** Eigenvalues of the covariance of rows: how many directions the data really have. */
import { dot } from '../features/orthonormalBasis.js';

/** Rows of numbers, row-major. */
export interface Matrix {
  readonly data: ArrayLike<number>;
  readonly rows: number;
  readonly width: number;
}

/**
 * The eigenvalues, above rounding error, of the covariance of the first `width` columns. With fewer rows than columns
 * they come from the products of the rows, which have the same ones.
 */
export function covarianceSpectrum({ data, rows, width: stride }: Matrix, width = stride): Float64Array {
  const centred = Array.from({ length: width }, (_, column) => {
    const values = new Float64Array(rows);
    let mean = 0;
    for (let row = 0; row < rows; row++) {
      values[row] = data[row * stride + column];
      mean += values[row] / rows;
    }
    for (let row = 0; row < rows; row++) values[row] -= mean;
    return values;
  });
  const vectors =
    width <= rows ? centred : Array.from({ length: rows }, (_, row) => Float64Array.from(centred, (c) => c[row]));
  const values = symmetricEigenvalues(
    vectors.map((a, i) => Float64Array.from(vectors, (b, j) => (j > i ? 0 : dot(a, b) / (rows - 1)))),
  );
  const least = 1e-10 * values.reduce((most, value) => Math.max(most, value), 0);
  return values.filter((value) => value > least);
}

/**
 * Eigenvalues of a symmetric matrix, of which the lower triangle is read and overwritten: Householder's reduction to
 * three diagonals, then QL steps with Wilkinson's shift.
 *
 * Source: Golub & Van Loan 2013, Matrix Computations, algorithms 8.3.1 and 8.3.3.
 */
export function symmetricEigenvalues(lower: Float64Array[]): Float64Array {
  const n = lower.length;
  const beside = new Float64Array(n); // beside[i] couples i and i - 1
  for (let last = n - 1; last > 0; last--) beside[last] = reduceRow(lower, last);
  return implicitQl(
    Float64Array.from(lower, (row, i) => row[i]),
    beside,
  );
}

/** Reflects the row `last` onto its entry beside the diagonal, from both sides, and gives that entry. */
function reduceRow(lower: Float64Array[], last: number): number {
  const v = lower[last].slice(0, last);
  const norm = Math.sqrt(dot(v, v));
  if (norm === 0) return 0;
  const beside = v[last - 1] > 0 ? -norm : norm;
  v[last - 1] -= beside;
  const half = dot(v, v) / 2;
  if (half === 0) return beside;
  const product = new Float64Array(last);
  for (let i = 0; i < last; i++) {
    const row = lower[i];
    let sum = row[i] * v[i];
    for (let j = 0; j < i; j++) {
      sum += row[j] * v[j];
      product[j] += row[j] * v[i];
    }
    product[i] += sum;
  }
  const along = dot(product, v) / (2 * half);
  for (let i = 0; i < last; i++) product[i] = (product[i] - along * v[i]) / half;
  for (let i = 0; i < last; i++) {
    const row = lower[i];
    for (let j = 0; j <= i; j++) row[j] -= v[i] * product[j] + product[i] * v[j];
  }
  return beside;
}

function implicitQl(diagonal: Float64Array, coupling: Float64Array): Float64Array {
  const n = diagonal.length;
  const beside = Float64Array.from({ length: n }, (_, i) => (i + 1 < n ? coupling[i + 1] : 0));
  for (let l = 0; l < n; l++) {
    for (let step = 0; step < 60; step++) {
      let m = l;
      while (m + 1 < n && Math.abs(beside[m]) > Number.EPSILON * (Math.abs(diagonal[m]) + Math.abs(diagonal[m + 1]))) {
        m++;
      }
      if (m === l) break;
      const bend = (diagonal[l + 1] - diagonal[l]) / (2 * beside[l]);
      const shift = diagonal[l] - beside[l] / (bend + Math.sign(bend || 1) * Math.hypot(bend, 1));
      let [g, s, c, p] = [diagonal[m] - shift, 1, 1, 0];
      let i = m - 1;
      for (; i >= l; i--) {
        const [f, b] = [s * beside[i], c * beside[i]];
        const r = Math.hypot(f, g);
        beside[i + 1] = r;
        if (r === 0) break;
        [s, c] = [f / r, g / r];
        g = diagonal[i + 1] - p;
        const q = (diagonal[i] - g) * s + 2 * c * b;
        p = s * q;
        diagonal[i + 1] = g + p;
        g = c * q - b;
      }
      if (i >= l) {
        diagonal[i + 1] -= p;
      } else {
        diagonal[l] -= p;
        beside[l] = g;
      }
      beside[m] = 0;
    }
  }
  return diagonal.sort();
}
