/** What is to be said of a fit without a penalty: a maximum that is not there, or that many coefficients share. */
import { type Fit, logisticLoss } from './logisticLoss.js';
import { dependent, factorAt, solve } from './newton.js';

/** So far a step of Newton's method moves the log-odds of a row where nothing but the end of the steps holds them. */
const FAR = 0.1;

/**
 * From `at` on the likelihood may still rise, and in a direction that moves no row against its class, so that it rises
 * without end (Albert & Anderson 1984, Biometrika 71:1); and columns may be combinations of others.
 */
export function notesWithoutPenalty(fit: Fit, at: Float64Array): string[] {
  const loss = logisticLoss(fit);
  if (separates(fit, solve(factorAt(loss, at), loss.gradient(at)))) return [NO_MAXIMUM];
  const two = logisticLoss({ ...fit, nClasses: 2 });
  return dependent(two.hessian(new Float64Array(two.size)), two.size) ? [COMBINED] : [];
}

const NO_MAXIMUM =
  'LogisticRegression: the training rows separate the classes, so that without a penalty the likelihood has no maximum: the coefficients grow without end and mean nothing. Use a finite `C`, or fewer columns.';
const COMBINED =
  "LogisticRegression: columns are combinations of others, so that without a penalty many coefficients fit equally well: predictions are defined, single coefficients are not. Leave columns out (`drop: 'first'` of a OneHotEncoder), or use a finite `C`.";

/** `step`: what is taken off the parameters. */
function separates({ X, codes, weights, nClasses, fitIntercept }: Fit, step: Float64Array): boolean {
  const { data, n, width } = X;
  const each = width + (fitIntercept ? 1 : 0);
  const change = (row: number, from: number) => {
    let sum = fitIntercept ? step[from + width] : 0;
    for (let column = 0; column < width; column++) sum += data[row * width + column] * step[from + column];
    return -sum;
  };
  let [least, most] = [0, 0];
  for (let row = 0; row < n; row++) {
    if (weights[row] === 0) continue;
    const ofClass =
      nClasses === 2 ? [0, change(row, 0)] : Array.from({ length: nClasses }, (_, k) => change(row, k * each));
    const margins = ofClass.map((other) => ofClass[codes[row]] - other);
    [least, most] = [Math.min(least, ...margins), Math.max(most, ...margins)];
  }
  return most > FAR && least >= -1e-6 * most;
}
