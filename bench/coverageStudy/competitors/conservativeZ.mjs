import { shuffled } from '../random.mjs';
import { METRICS } from '../scenarios.mjs';
import { around, evaluate, patientRows, Z } from './shared.mjs';

/**
 * Conservative Z. M times the patients are cut at random into two halves; in each half J random splits train on n/2 -
 * n/K patients and test on n/K (K folds of the run). A half's value is the mean of its J splits, and the variance of
 * the estimate is the mean over halvings of half the squared difference of both values: sum (mu - mu')^2 / (2 M). It
 * is of a smaller sample and so too large on the average, hence the name. Centre: the estimate of the cross-validation
 * (`estimates`); normal quantile. With J = 5 and M = 10 it takes 100 fits. (The paper has J = 15.) Splits without both
 * classes on a side are left out; a halving in which a metric is undefined does not count for it.
 *
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239, section 4.2 (estimator) and 5 (interval).
 */
export function conservativeZ({ learner, folds, data, estimates, uniform, halvings = 10, splits = 5 }) {
  const rowsOf = patientRows(data);
  const half = Math.floor(data.nPatients / 2);
  const tested = Math.min(Math.round(data.nPatients / folds), half - 1);
  const pairs = [];
  for (let m = 0; m < halvings; m++) {
    const order = shuffled(data.nPatients, uniform);
    pairs.push(
      [order.subarray(0, half), order.subarray(half, 2 * half)].map((patients) => {
        const values = [];
        for (let split = 0; split < splits; split++) {
          const within = shuffled(half, uniform).map((at) => patients[at]);
          const found = evaluate(learner, data, rowsOf, within.subarray(tested), within.subarray(0, tested));
          if (found) values.push(found);
        }
        return values;
      }),
    );
  }
  return around(estimates, conservativeHalves(pairs));
}

/** Half widths from the values of both halves of each halving (lists of metrics of splits). */
export function conservativeHalves(pairs) {
  return Object.fromEntries(
    METRICS.map((metric) => {
      const squares = pairs.flatMap((pair) => {
        const [one, other] = pair.map((values) => meanOf(values.map((each) => each[metric]).filter(Number.isFinite)));
        return Number.isFinite(one - other) ? [(one - other) ** 2 / 2] : [];
      });
      return [metric, Z * Math.sqrt(meanOf(squares))];
    }),
  );
}

const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
