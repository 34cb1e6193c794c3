/**
 * One piece of work of the coverage study. Kinds: `truth` (training sets), `intervals` (repetitions with `ciFits: 10`
 * and what needs no further fit), `fewer` (`ciFits: 5` and `0`, and the K models of a repetition on a pool),
 * `competitors` (those that train models of their own). A repetition has the same sample and folds in every kind.
 */
import { deriveSeed } from 'cvkit';
import { bayle } from './competitors/bayle.mjs';
import { conservativeZ } from './competitors/conservativeZ.mjs';
import { correctedT } from './competitors/correctedT.mjs';
import { cvBootstrap } from './competitors/cvBootstrap.mjs';
import { nestedCv } from './competitors/nestedCv.mjs';
import { trainOn } from './learners/index.mjs';
import { drawn, sample } from './population.mjs';
import { stream } from './random.mjs';
import { METRICS, RANGES } from './scenarios.mjs';
import { trueValues } from './trueValues.mjs';
import { validate } from './validate.mjs';

/** New patients that every training set of the truth is judged on: others for each. */
const TEST_PATIENTS = 1000;

/**
 * Patients of a pool for the models of a repetition: 40 times the sample, so that its error adds 1/40 to the variance.
 */
const poolSize = ({ n }) => Math.min(40_000, Math.max(4000, 40 * n));

/** A sample has 20 patients or more of each class: with fewer there is no interval of the procedure. */
const LEAST_PER_CLASS = 20;

/** Sums of each metric over training sets of n (K - 1) / K patients, each judged on new patients. */
export function truth(scenario, seed, from, to) {
  const n = Math.round((scenario.n * (scenario.folds - 1)) / scenario.folds);
  const sums = Object.fromEntries(METRICS.map((name) => [name, { count: 0, sum: 0, squares: 0 }]));
  for (let at = from; at < to; at++) {
    const train = drawn(scenario, n, LEAST_PER_CLASS / 2, seed, scenario.id, 'train', at);
    const test = sample(scenario, TEST_PATIENTS, deriveSeed(seed, scenario.id, 'test', at));
    const values = trueValues(test.y, trainOn(scenario.learner, train)(test.x, test.n));
    for (const name of METRICS) {
      if (Number.isNaN(values[name])) continue; // no row predicted positive: the metric is undefined
      sums[name].count++;
      sums[name].sum += values[name];
      sums[name].squares += values[name] ** 2;
    }
  }
  return sums;
}

/** `ciFits: 10`, the corrected t interval and Bayle's, on repetitions `from` ... `to - 1`. */
export async function intervals(scenario, seed, from, to) {
  const found = table(['fits10', 'corrected_t', 'bayle_all', 'bayle_within']);
  const [estimates, trainingShares] = [columns(), columns()];
  for (let at = from; at < to; at++) {
    const { data, folds } = repetition(scenario, seed, at);
    const result = await validate(scenario, data, folds, { ciFits: 10 });
    const { yTrue, yProba, fold, repeat, row } = result.outOfFold;
    const group = Array.from(row, (each) => data.group[each]);
    const tests = bayle({ y: yTrue, p: Array.from(yProba, positive), group, fold, repeat });
    const ofRun = estimatesOf(result);
    for (const metric of METRICS) {
      estimates[metric].push(rounded(ofRun[metric]));
      trainingShares[metric].push(rounded(result.confidenceIntervals[metric].trainingShare));
    }
    found.add('fits10', limitsOf(result));
    found.add('corrected_t', (metric) => correctedT(result.scores[metric], scenario.folds, RANGES[metric]));
    for (const method of ['bayle_all', 'bayle_within']) found.add(method, (metric) => tests[method][metric]);
  }
  return { ...found.columns, estimates, trainingShares };
}

/**
 * `ciFits: 5` and `ciFits: 0`; beside them the mean performance of the models of the folds and the p-value of the
 * warning.
 */
export async function fewer(scenario, seed, from, to) {
  const found = table(['fits5', 'fits0']);
  const models = { value: columns(), pValue: columns() };
  const pool = sample(scenario, poolSize(scenario), deriveSeed(seed, scenario.id, 'pool', from));
  for (let at = from; at < to; at++) {
    const { data, folds } = repetition(scenario, seed, at);
    const [memo, trained] = [new Map(), []];
    const none = await validate(scenario, data, folds, { ciFits: 0 }, { memo, trained });
    found.add('fits0', limitsOf(none));
    found.add('fits5', limitsOf(await validate(scenario, data, folds, { ciFits: 5 }, { memo })));
    const values = trained
      .slice(0, scenario.folds * scenario.repeats)
      .map((model) => trueValues(pool.y, model(pool.x, pool.n)));
    for (const metric of METRICS) {
      models.value[metric].push(rounded(values.reduce((sum, each) => sum + each[metric], 0) / values.length));
      models.pValue[metric].push(rounded(none.confidenceIntervals[metric].heterogeneity?.pValue));
    }
  }
  return { ...found.columns, models };
}

/** The methods that train many models of their own. */
export async function competitors(scenario, seed, from, to) {
  const found = table(['conservative_z', 'cv_bootstrap', 'nested_cv']);
  for (let at = from; at < to; at++) {
    const { data, folds } = repetition(scenario, seed, at);
    const estimates = estimatesOf(await validate(scenario, data, folds, { ciFits: 0 }));
    const random = stream(deriveSeed(seed, scenario.id, 'competitors', at));
    const input = { ...scenario, data, estimates, ...random };
    for (const [method, limits] of [
      ['conservative_z', conservativeZ(input)],
      ['cv_bootstrap', cvBootstrap(input)],
      ['nested_cv', await nestedCv(scenario, data, folds)],
    ]) {
      found.add(method, (metric) => limits[metric]);
    }
  }
  return found.columns;
}

const repetition = (scenario, seed, at) => ({
  data: drawn(scenario, scenario.n, LEAST_PER_CLASS, seed, scenario.id, 'repetition', at),
  folds: deriveSeed(seed, scenario.id, 'folds', at),
});

/** Probabilities of both classes, or that of 1. */
const positive = (p) => (typeof p === 'number' ? p : p[p.length - 1]);

const limitsOf =
  ({ confidenceIntervals }) =>
  (metric) => {
    const { lower, upper } = confidenceIntervals[metric];
    return lower === null ? null : [lower, upper];
  };

const estimatesOf = ({ confidenceIntervals }) =>
  Object.fromEntries(METRICS.map((name) => [name, confidenceIntervals[name].estimate]));

const columns = () => Object.fromEntries(METRICS.map((name) => [name, []]));

/** Six digits do: a file stays small. */
const rounded = (value) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null);

/** Limits per method and metric as two columns over repetitions; a method without an interval has null in both. */
function table(methods) {
  const found = Object.fromEntries(methods.map((method) => [method, { lower: columns(), upper: columns() }]));
  return {
    columns: found,
    add(method, of) {
      for (const metric of METRICS) {
        const [lower, upper] = of(metric) ?? [null, null];
        found[method].lower[metric].push(rounded(lower));
        found[method].upper[metric].push(rounded(upper));
      }
    },
  };
}
