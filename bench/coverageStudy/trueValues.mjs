/** The metrics of the study once more, in the plainest form: what the truth is computed with owes nothing to the package. */

/** Each metric of the labels 0 and 1 and the probabilities of 1. */
export function trueValues(y, p) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  let [tp, fp, fn, tn] = [0, 0, 0, 0];
  y.forEach((label, row) => {
    if (p[row] > 0.5) label ? tp++ : fp++;
    else label ? fn++ : tn++;
  });
  const clipped = p.map((each) => Math.min(1 - 2 ** -52, Math.max(2 ** -52, each)));
  return {
    roc_auc: areaUnderCurve(y, p),
    accuracy: (tp + tn) / y.length,
    balanced_accuracy: (tp / (tp + fn) + tn / (tn + fp)) / 2,
    sensitivity: tp / (tp + fn),
    specificity: tn / (tn + fp),
    precision: tp / (tp + fp),
    npv: tn / (tn + fn),
    f1: (2 * tp) / (2 * tp + fp + fn),
    mcc: (tp * tn - fp * fn) / Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    brier: mean(y.map((label, row) => (p[row] - label) ** 2)),
    log_loss: -mean(y.map((label, row) => Math.log(label ? clipped[row] : 1 - clipped[row]))),
  };
}

function areaUnderCurve(y, p) {
  const order = p.map((_, row) => row).sort((a, b) => p[a] - p[b]);
  let [ranks, positives] = [0, 0];
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && p[order[to]] === p[order[from]]) to++;
    for (let at = from; at < to; at++) {
      if (y[order[at]] !== 1) continue;
      positives++;
      ranks += (from + 1 + to) / 2;
    }
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (y.length - positives));
}
