import { linearLearner } from './linear.mjs';

/**
 * Logistic regression with an L1 penalty, `share` of the smallest that gives no slope at all, by coordinate descent on
 * quadratic approximations (Friedman, Hastie & Tibshirani 2010).
 */
export const lasso = (share) =>
  linearLearner(({ x, y, n, p }) => {
    // Columns one after the other: each step runs down one column.
    const columns = Array.from({ length: p }, (_, j) => Float64Array.from({ length: n }, (_, i) => x[i * p + j]));
    let rate = 0;
    for (let i = 0; i < n; i++) rate += y[i] / n;
    const b = new Float64Array(p + 1);
    b[0] = Math.log(rate / (1 - rate));
    let steepest = 0;
    for (const column of columns) {
      let slope = 0;
      for (let i = 0; i < n; i++) slope += column[i] * (y[i] - rate);
      steepest = Math.max(steepest, Math.abs(slope) / n);
    }
    const penalty = share * steepest * n;
    const w = new Float64Array(n);
    const residual = new Float64Array(n);
    for (let outer = 0; outer < 6; outer++) {
      let total = 0;
      for (let i = 0; i < n; i++) {
        let z = b[0];
        for (let j = 0; j < p; j++) z += b[j + 1] * columns[j][i];
        const q = 1 / (1 + Math.exp(-z));
        w[i] = Math.max(q * (1 - q), 1e-4);
        residual[i] = (y[i] - q) / w[i];
        total += w[i];
      }
      const curvature = columns.map((column) => {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += w[i] * column[i] * column[i];
        return sum;
      });
      let moved = 0;
      for (let inner = 0; inner < 5; inner++) {
        let shift = 0;
        for (let i = 0; i < n; i++) shift += w[i] * residual[i];
        shift /= total;
        b[0] += shift;
        for (let i = 0; i < n; i++) residual[i] -= shift;
        for (let j = 0; j < p; j++) {
          const column = columns[j];
          let pull = curvature[j] * b[j + 1];
          for (let i = 0; i < n; i++) pull += w[i] * column[i] * residual[i];
          const next = (Math.sign(pull) * Math.max(Math.abs(pull) - penalty, 0)) / curvature[j];
          const change = next - b[j + 1];
          if (change === 0) continue;
          moved = Math.max(moved, Math.abs(change));
          b[j + 1] = next;
          for (let i = 0; i < n; i++) residual[i] -= change * column[i];
        }
      }
      if (moved < 1e-5) break;
    }
    return b;
  });
