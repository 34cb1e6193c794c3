/** One piece of work of the coverage study: a few repetitions of one scenario, or a few training sets for its truth. */
import { CVKitValidator, deriveSeed } from 'cvkit';
import { LEARNERS } from './learners.mjs';
import { sample } from './population.mjs';
import { METRICS } from './scenarios.mjs';
import { trueValues } from './trueValues.mjs';

/** Patients of the test set that every training set of the truth is judged on. */
const TEST_PATIENTS = 1000;

/** Draws a sample until both classes have `minimum` patients; in a case-control study, until they have what was planned. */
function drawn(scenario, n, minimum, ...path) {
  const planned = scenario.sampling === 'case_control' ? Math.round(n * scenario.prevalence) : undefined;
  for (let draw = 0; ; draw++) {
    const data = sample(scenario, n, deriveSeed(...path, draw));
    const labels = new Map(data.groups.map((group, row) => [group, data.y[row]]));
    const positives = [...labels.values()].filter((label) => label === 1).length;
    if (planned === undefined ? Math.min(positives, n - positives) >= minimum : positives === planned) return data;
  }
}

/** Sums of each metric over training sets of n (K - 1) / K patients, each judged on new patients. */
export function truth(scenario, seed, from, to) {
  const n = Math.round((scenario.n * (scenario.folds - 1)) / scenario.folds);
  const sums = Object.fromEntries(METRICS.map((name) => [name, { count: 0, sum: 0, squares: 0 }]));
  for (let at = from; at < to; at++) {
    const train = drawn(scenario, n, 10, seed, scenario.id, 'train', at);
    const test = sample(scenario, TEST_PATIENTS, deriveSeed(seed, scenario.id, 'test', at));
    const learner = LEARNERS[scenario.learner].make();
    learner.fit(train.X, train.y);
    const values = trueValues(test.y, learner.predictProba(test.X));
    for (const name of METRICS) {
      if (Number.isNaN(values[name])) continue; // no row predicted positive: the metric is undefined
      sums[name].count++;
      sums[name].sum += values[name];
      sums[name].squares += values[name] ** 2;
    }
  }
  return sums;
}

/** The intervals of repetitions `from` ... `to - 1`: per metric, method and repetition [lower, upper]. */
export async function intervals(scenario, seed, from, to) {
  const found = Object.fromEntries(METRICS.map((name) => [name, { analytic: [], corrected_t: [] }]));
  for (let at = from; at < to; at++) {
    const { X, y, groups } = drawn(scenario, scenario.n, 20, seed, scenario.id, 'repetition', at);
    const result = await validate(scenario, { X, y, groups }, deriveSeed(seed, scenario.id, 'folds', at));
    for (const name of METRICS) {
      const { lower, upper } = result.confidenceIntervals[name];
      found[name].analytic.push(lower === null ? null : [lower, upper]);
      found[name].corrected_t.push(correctedT(result.scores[name], scenario.folds, RANGES[name]));
    }
  }
  return found;
}

const validate = ({ learner, folds, rows, sampling }, { X, y, groups }, randomState) =>
  new CVKitValidator({
    method: rows === 1 ? 'stratified_kfold' : 'stratified_group_kfold',
    nSplits: folds,
    randomState,
    ciMethod: 'analytic',
    checkLeakage: false,
    checkBalance: false,
    metrics: METRICS,
    sampling,
  }).validate({
    model: () => estimator(LEARNERS[learner].make()),
    X,
    y,
    ...(rows === 1 ? {} : { groups }),
    verbose: 0,
  });

/** The learner as the runner wants it, with labels from probabilities. */
const estimator = (learner) => ({
  ...learner,
  predict: (X) => learner.predictProba(X).map((p) => (p > 0.5 ? 1 : 0)),
});

/** Ranges other than [0, 1], to which the corrected t interval is clipped. */
const RANGES = { mcc: [-1, 1], log_loss: [0, Number.POSITIVE_INFINITY] };

/** .975 quantile of Student's t for 4 degrees of freedom: five folds. */
const T4 = 2.7764451051977987;

/** Nadeau and Bengio's interval of one 5-fold cross-validation: the ruler for width. */
function correctedT(scores, folds, [low, high] = [0, 1]) {
  const values = scores.map(({ value }) => value);
  if (values.includes(null)) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / folds;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (folds - 1);
  const half = T4 * Math.sqrt(variance * (1 / folds + 1 / (folds - 1)));
  return [Math.max(low, mean - half), Math.min(high, mean + half)];
}
