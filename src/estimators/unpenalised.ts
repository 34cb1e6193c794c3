/** What is to be said of a fit without a penalty: a maximum that is not there, or that many coefficients share. */
import { type Fit, logisticLoss } from './logisticLoss.js';
import { dependent, factorAt, solve } from './newton.js';

/** So far a step of Newton's method moves the log-odds of a row where nothing but the end of the steps holds them. */
const FAR = 0.1;

/**
 * `separated`: from `at` on the likelihood still rises, and in a direction that moves no row against its class, so that it
 * rises without end (Albert & Anderson 1984, Biometrika 71:1). `dependent`: columns are combinations of others.
 */
export function notesWithoutPenalty(fit: Fit, at: Float64Array): 'separated' | 'dependent' | undefined {
  const loss = logisticLoss(fit);
  const step = solve(factorAt(loss, at), loss.gradient(at)).map((each) => -each);
  if (separates(fit, step)) return 'separated';
  const two = logisticLoss({ ...fit, nClasses: 2 });
  return dependent(two.hessian(new Float64Array(two.size)), two.size) ? 'dependent' : undefined;
}

function separates({ X, codes, weights, nClasses, fitIntercept }: Fit, step: Float64Array): boolean {
  const { data, n, width } = X;
  const each = width + (fitIntercept ? 1 : 0);
  const change = (row: number, code: number): number => {
    // Two classes have one row of parameters, for the log-odds of the second.
    const from = nClasses === 2 ? 0 : code * each;
    if (nClasses === 2 && code === 0) return 0;
    let sum = fitIntercept ? step[from + width] : 0;
    for (let column = 0; column < width; column++) sum += data[row * width + column] * step[from + column];
    return sum;
  };
  let [least, most] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (weights[row] === 0) continue;
    const own = change(row, codes[row]);
    for (let code = 0; code < nClasses; code++) {
      const margin = own - change(row, code);
      least = Math.min(least, margin);
      most = Math.max(most, margin);
    }
  }
  return most > FAR && least >= -1e-6 * most;
}
