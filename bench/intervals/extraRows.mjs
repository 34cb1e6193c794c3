/**
 * What `ciFits` costs: rows that halves train on over those of the folds, and how long the intervals of 10,000 rows take with
 * halves and without. Intervals are timed as what a validation takes beyond one without intervals, less the further fits.
 */
import { CVKitValidator, randomSource } from 'cvkit';
import { median, milliseconds, verdicts } from '../tfjs/verdicts.mjs';

const ROWS = 10_000;
const METRICS = ['roc_auc', 'accuracy', 'sensitivity', 'specificity', 'ppv', 'f1', 'brier'];

/** Rows of two classes, 30 % positive; the model says how far a row is from the training mean. */
function dataOf(n) {
  const random = randomSource(1);
  const y = Array.from({ length: n }, () => (random.random() < 0.3 ? 1 : 0));
  return { X: y.map((label) => [0.4 * label + random.random()]), y };
}

let trained = 0;
class Threshold {
  fit(X) {
    trained += X.length;
    this.mean = X.reduce((sum, [value]) => sum + value, 0) / X.length;
  }
  predictProba(X) {
    return X.map(([value]) => 1 / (1 + Math.exp(4 * (this.mean - value))));
  }
  predict(X) {
    return X.map(([value]) => Number(value > this.mean));
  }
}

const rowsTrained = async (n, options) => {
  trained = 0;
  await validate(dataOf(n), options);
  return trained;
};

const validate = (data, options) =>
  new CVKitValidator({ checkLeakage: false, checkBalance: false, metrics: ['roc_auc'], ...options }).validate({
    model: () => new Threshold(),
    ...data,
    verbose: 0,
  });

const data = dataOf(ROWS);
/** Milliseconds of a run but for its further fits. */
async function once(options) {
  let fits = 0;
  const all = await milliseconds(async () => {
    const { manifest } = await validate(data, options);
    fits = 1000 * (manifest.ciFitsMade?.seconds ?? 0);
  });
  return all - fits;
}

/** Median over pairs of neighbours in time of what intervals take beyond a run without them. */
async function intervals(options, runs = 7) {
  const { metrics } = options;
  const differences = [];
  for (let run = 0; run <= runs; run++) {
    const without = await once({ metrics, returnConfidenceIntervals: false });
    const difference = (await once(options)) - without;
    if (run > 0) differences.push(difference);
  }
  return median(differences);
}

for (const folds of [5, 10]) {
  const without = await rowsTrained(600, { nSplits: folds, ciFits: 0 });
  const shown = [];
  for (const ciFits of [5, 10]) {
    shown.push({
      measure: `rows of ciFits: ${ciFits} / rows of the folds`,
      value: ((await rowsTrained(600, { nSplits: folds, ciFits })) - without) / without,
      ...(folds === 5 && ciFits === 10 ? { atMost: 2.6 } : {}),
    });
  }
  verdicts(`${folds} folds`, shown);
}

const found = [];
for (const [metrics, of] of [
  [['roc_auc'], 'the AUC'],
  [METRICS, `${METRICS.length} metrics`],
]) {
  for (const [ciFits, halves] of [
    [0, 'without halves'],
    [10, 'with 10 halvings'],
  ]) {
    const analytic = await intervals({ metrics, ciMethod: 'analytic', ciFits });
    found.push({ measure: `analytic, ${of}, ${halves}, ms`, value: analytic, digits: 0, atMost: 50 });
    const bootstrap = await intervals({ metrics, ciMethod: 'bootstrap', ciFits }, 3);
    found.push({ measure: `bootstrap x 1,000, ${of}, ${halves}, ms`, value: bootstrap, digits: 0, atMost: 1000 });
  }
}
verdicts(`Intervals of ${ROWS.toLocaleString('en')} rows`, found);
