/**
 * The metrics of the study once more, in the plainest form: what the truth is computed with owes nothing to the
 * package.
 */

const EPSILON = 2 ** -52;

/** Each metric of the labels 0 and 1 and the probabilities of 1; NaN where one is undefined. Every row counts alike. */
export function trueValues(y, p) {
  const n = y.length;
  let [tp, fp, fn, tn, squares, logs] = [0, 0, 0, 0, 0, 0];
  for (let row = 0; row < n; row++) {
    const q = p[row];
    if (y[row] === 1) {
      if (q > 0.5) tp++;
      else fn++;
      squares += (1 - q) ** 2;
      logs -= Math.log(Math.min(1 - EPSILON, Math.max(EPSILON, q)));
    } else {
      if (q > 0.5) fp++;
      else tn++;
      squares += q * q;
      logs -= Math.log(Math.min(1 - EPSILON, Math.max(EPSILON, 1 - q)));
    }
  }
  return {
    roc_auc: areaUnderCurve(y, p),
    accuracy: (tp + tn) / n,
    balanced_accuracy: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    sensitivity: tp / (tp + fn),
    specificity: tn / (tn + fp),
    precision: tp / (tp + fp),
    npv: tn / (tn + fn),
    f1: (2 * tp) / (2 * tp + fp + fn),
    mcc: (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    brier: squares / n,
    log_loss: logs / n,
  };
}

/**
 * Share of pairs of a positive and a negative row that are in order; ties count one half. Both classes are sorted,
 * then merged.
 */
export function areaUnderCurve(y, p) {
  let nPositive = 0;
  for (let row = 0; row < y.length; row++) nPositive += y[row];
  const positive = new Float64Array(nPositive);
  const negative = new Float64Array(y.length - nPositive);
  for (let row = 0, i = 0, j = 0; row < y.length; row++) {
    if (y[row] === 1) positive[i++] = p[row];
    else negative[j++] = p[row];
  }
  positive.sort();
  negative.sort();
  let [wins, below, upTo] = [0, 0, 0];
  for (const score of positive) {
    while (below < negative.length && negative[below] < score) below++;
    if (upTo < below) upTo = below;
    while (upTo < negative.length && negative[upTo] === score) upTo++;
    wins += below + (upTo - below) / 2;
  }
  return wins / (positive.length * negative.length);
}
