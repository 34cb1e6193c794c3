/** Where a fit to many rows begins: at the fit to a part of them, which is near and costs a share. */
import { type Fit, logisticLoss } from './logisticLoss.js';
import { factorAt, minimize, type Start } from './newton.js';

/** With fewer rows the start is 0. */
const MANY = { rows: 4000, perParameter: 40, every: 8 };

/** Parameters to begin with, and second derivatives there. */
export function startOf(fit: Fit, limits: { maxIter: number; tol: number }): Start {
  const { size } = logisticLoss(fit);
  const zero = { at: new Float64Array(size) };
  const { X, codes, weights } = fit;
  if (X.n < MANY.rows || X.n < MANY.perParameter * size) return zero;
  const rows = Array.from({ length: Math.ceil(X.n / MANY.every) }, (_, at) => at * MANY.every);
  const data = new Float64Array(rows.length * X.width);
  rows.forEach((row, at) => {
    for (let column = 0; column < X.width; column++) data[at * X.width + column] = X.data[row * X.width + column];
  });
  const part: Fit = {
    ...fit,
    X: { data, n: rows.length, width: X.width },
    codes: rows.map((row) => codes[row]),
    weights: Float64Array.from(rows, (row) => weights[row]),
    C: fit.C * MANY.every,
  };
  if (!(part.weights.reduce((sum, each) => sum + each, 0) > 0)) return zero;
  const loss = logisticLoss(part);
  const { at } = minimize(loss, startOf(part, limits), { ...limits, tol: 1e-3 });
  return { at, factor: factorAt(loss, at) };
}
