/** One piece of work of the comparison study: some repetitions of a scenario, or some training sets for its truth. */
import { CVKitValidator, deriveSeed, randomSource, StratifiedGroupKFold, StratifiedKFold } from 'cvkit';
import { compareModels } from 'cvkit/stats';
import { trainOn } from '../coverageStudy/learners/index.mjs';
import { trueValues } from '../coverageStudy/trueValues.mjs';
import { ANSWERS, FOLDS, HALVINGS, METRICS } from './scenarios.mjs';

/** Patients of the test set that every training set of the truth is judged on. */
const TEST_PATIENTS = 1000;
/** Patients of either class in every sample: two per fold. */
const FEWEST = 2 * FOLDS;
const WIDTH = 14;
/** p <= .05 is exact with 99 swaps. */
const SWAPS = 99;

/** Patients with 1 to `rows` rows of one label; half of the variance of a feature is between patients. */
function sample({ prevalence, signal, rows }, n, seed) {
  const random = randomSource(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const [X, y, groups] = [[], [], []];
  for (let patient = 0; patient < n; patient++) {
    const label = random.random() < prevalence ? 1 : 0;
    const centre = Array.from(
      { length: WIDTH },
      (_, j) => (j === 0 || j === 2 ? (label - 0.5) * signal : 0) + Math.SQRT1_2 * normal(),
    );
    const count = 1 + Math.floor(random.random() * rows);
    for (let row = 0; row < count; row++) {
      X.push(centre.map((mean) => mean + Math.SQRT1_2 * normal()));
      y.push(label);
      groups.push(patient);
    }
  }
  return { X, y, groups };
}

function drawn(scenario, n, ...path) {
  for (let draw = 0; ; draw++) {
    const data = sample(scenario, n, deriveSeed(...path, draw));
    const positives = new Set(data.groups.filter((_, row) => data.y[row] === 1)).size;
    if (Math.min(positives, n - positives) >= FEWEST) return data;
  }
}

/** A probability that is there from the start: the signal with noise of its own for either side. */
const score = (side) => () => ({
  fit: () => undefined,
  predictProba: (X) => X.map((row) => 1 / (1 + Math.exp(-row[0] - row[2] - row[side === 'a' ? 4 : 5]))),
});

/** The learner of a side, which sees its columns alone. */
function learnerOf({ learners, columns }, side) {
  const name = learners[side === 'a' ? 0 : 1];
  if (name === 'score') return score(side)();
  const wanted = columns[side];
  const flat = (X) =>
    Float64Array.from(
      { length: X.length * wanted.length },
      (_, at) => X[Math.floor(at / wanted.length)][wanted[at % wanted.length]],
    );
  let model;
  return {
    fit(X, y) {
      model = trainOn(name, { x: flat(X), y: Uint8Array.from(y), n: X.length, p: wanted.length });
    },
    predictProba: (X) => model(flat(X), X.length),
  };
}

/** Sums of A - B of each metric over training sets of n (K - 1) / K patients, both sides on the same new patients. */
export function truth(scenario, seed, from, to) {
  const n = Math.round((scenario.n * (FOLDS - 1)) / FOLDS);
  const sums = Object.fromEntries(METRICS.map((name) => [name, { count: 0, sum: 0, squares: 0 }]));
  for (let at = from; at < to; at++) {
    const train = drawn(scenario, n, seed, scenario.id, 'train', at);
    const test = sample(scenario, TEST_PATIENTS, deriveSeed(seed, scenario.id, 'test', at));
    const [a, b] = ['a', 'b'].map((side) => {
      const learner = learnerOf(scenario, side);
      learner.fit(train.X, train.y);
      return trueValues(test.y, learner.predictProba(test.X));
    });
    for (const name of METRICS) {
      sums[name].count++;
      sums[name].sum += a[name] - b[name];
      sums[name].squares += (a[name] - b[name]) ** 2;
    }
  }
  return sums;
}

/** What `compareModels` says in repetitions `from` ... `to - 1`. */
export async function answers(scenario, seed, from, to) {
  const found = Object.fromEntries(METRICS.map((name) => [name, []]));
  for (let at = from; at < to; at++) {
    const { X, y, groups } = drawn(scenario, scenario.n, seed, scenario.id, 'repetition', at);
    const randomState = deriveSeed(seed, scenario.id, 'folds', at);
    const cvSplitter =
      scenario.rows === 1
        ? new StratifiedKFold({ nSplits: FOLDS, shuffle: true, randomState })
        : new StratifiedGroupKFold({ nSplits: FOLDS, shuffle: true, randomState });
    const [a, b] = await Promise.all(
      ['a', 'b'].map((side) =>
        new CVKitValidator({
          cv: cvSplitter,
          randomState,
          ciMethod: 'analytic',
          ciFits: HALVINGS,
          checkLeakage: false,
          checkBalance: false,
          metrics: METRICS,
        }).validate({
          model: () => estimator(learnerOf(scenario, side)),
          X,
          y,
          ...(scenario.rows === 1 ? {} : { groups }),
          verbose: 0,
        }),
      ),
    );
    for (const metric of METRICS) {
      const comparison = compareModels(a, b, { metric, nPermutations: SWAPS, randomState });
      const tests = ANSWERS.map((name) => [name, short(comparison[name])]);
      found[metric].push({ ...Object.fromEntries(tests), signFlip: comparison.signFlip.pValue });
    }
  }
  return found;
}

const short = ({ difference, standardError, pValue, lower, upper }) => [
  difference,
  standardError,
  pValue,
  lower,
  upper,
];

/** The learner as the validator wants it, with labels from probabilities. */
function estimator(learner) {
  let last = {};
  const probabilities = (X) => {
    if (last.X !== X) last = { X, found: learner.predictProba(X) };
    return last.found;
  };
  return {
    fit(X, y) {
      last = {};
      learner.fit(X, y);
    },
    predictProba: probabilities,
    predict: (X) => Array.from(probabilities(X), (p) => (p > 0.5 ? 1 : 0)),
  };
}
