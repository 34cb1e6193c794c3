/** Rows with more columns than rows, turned to as many columns as rows: a ridge penalty sees no difference. */
import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Block } from './denseRows.js';

/** Directions of a smaller share of the largest spread are rounding. */
const NOTHING = 1e-12;

export interface Reduced {
  readonly X: Block;
  /** Coefficients of the columns, from those of the reduced ones. */
  restore(coefficients: Float64Array): Float64Array;
}

/**
 * The rows in the directions that they span, by the eigenvectors of their products. Coefficients with a ridge penalty lie
 * in that span, and their length is the same in it. Rows that are not wide stay as they are.
 */
export function reduced(X: Block): Reduced {
  const { data, n, width } = X;
  if (width <= n) return { X, restore: (coefficients) => Float64Array.from(coefficients) };
  const products = Matrix.zeros(n, n);
  for (let a = 0; a < n; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let column = 0; column < width; column++) sum += data[a * width + column] * data[b * width + column];
      products.set(a, b, sum);
      products.set(b, a, sum);
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(products, { assumeSymmetric: true });
  const most = Math.max(...realEigenvalues);
  const kept = realEigenvalues.flatMap((value, at) => (value > NOTHING * most ? [at] : []));
  const inner = new Float64Array(n * kept.length);
  for (let row = 0; row < n; row++) {
    kept.forEach((at, place) => {
      inner[row * kept.length + place] = eigenvectorMatrix.get(row, at) * Math.sqrt(realEigenvalues[at]);
    });
  }
  return {
    X: { data: inner, n, width: kept.length },
    restore(coefficients) {
      const byRow = new Float64Array(n);
      kept.forEach((at, place) => {
        const part = coefficients[place] / Math.sqrt(realEigenvalues[at]);
        for (let row = 0; row < n; row++) byRow[row] += eigenvectorMatrix.get(row, at) * part;
      });
      const out = new Float64Array(width);
      for (let row = 0; row < n; row++) {
        for (let column = 0; column < width; column++) out[column] += byRow[row] * data[row * width + column];
      }
      return out;
    },
  };
}
