/**
 * What was tried for the training part of the default interval and not taken (`docs/intervals-theory.md`, "What was tried and not
 * taken"), on scenarios of the tuning grid of the coverage study:
 *
 * - repeats: contrasts of the folds of 10 x 5-fold cross-validation, which needs no further fit, in place of half contrasts;
 * - warm: networks for the halves that go on from the network of a fold for a third of the steps, or that all start from
 *   the same weights;
 * - five: five halvings in place of ten, through `CVKitValidator`.
 *
 * C and T are those of the estimator. All variances are relative to the variance of the estimate over the
 * repetitions, "sd" is that of one data set. V_te is the sum of squared influences; that of the area under the ROC curve
 * still holds the excess of its pairs.
 *
 * node bench/intervals/alternatives.mjs [--only repeats|warm|five ...] [--repetitions 300] [--trainingSets 2000] [--seed 21]
 */
import { parseArgs } from 'node:util';
import { deriveSeed } from 'cvkit';
import { truth } from '../coverageStudy/chunk.mjs';
import { fingerprint, trainOn } from '../coverageStudy/learners/index.mjs';
import { network } from '../coverageStudy/learners/others.mjs';
import { drawn, take } from '../coverageStudy/population.mjs';
import { shuffled, stream } from '../coverageStudy/random.mjs';
import { SCENARIOS } from '../coverageStudy/scenarios.mjs';
import { validate } from '../coverageStudy/validate.mjs';
import { METRICS, meanInfluences, meanOf, ofFolds, ofHalves, tested } from './contrasts.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    repetitions: { type: 'string', default: '300' },
    trainingSets: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '21' },
  },
});
const REPETITIONS = Number(options.repetitions);
const [FOLDS, REPEATS, HALVINGS] = [5, 10, 10];
/** Patients of each class, as for an interval of the procedure. */
const LEAST_PER_CLASS = 20;
/** Units and steps of the network of the study, and a third of the steps. */
const [UNITS, STEPS, FURTHER_STEPS] = [4, 40, 13];

const scenarioOf = (name) => SCENARIOS.find(({ id }) => id === `tuning-${name}`);
const sampleOf = (scenario, at) =>
  drawn(scenario, scenario.n, LEAST_PER_CLASS, options.seed, scenario.id, 'alternatives', at);

/**
 * Random folds or halves of rows with two of each class in all of them (drawn again until it is so, which is rare), each class
 * dealt out evenly when `stratified`.
 */
function foldsOf(y, count, uniform, stratified) {
  for (;;) {
    const order = Array.from(shuffled(y.length, uniform));
    const dealt = stratified ? [0, 1].flatMap((label) => order.filter((row) => y[row] === label)) : order;
    const folds = Array.from({ length: count }, (_, fold) => dealt.filter((_, at) => at % count === fold));
    if (folds.every((rows) => hasBoth(rows, y))) return folds;
  }
}

function hasBoth(rows, y) {
  const positives = rows.filter((row) => y[row] === 1).length;
  return Math.min(positives, rows.length - positives) >= 2;
}

/** Each of some parts of the data, tested by a model of `train(data, part)` trained on the others. */
function crossed(data, parts, train) {
  return parts.map((rows, part) => {
    const model = train(take(data, parts.filter((_, at) => at !== part).flat()), part);
    return { rows, q: model(take(data, rows).x, rows.length) };
  });
}

/** C and T of a metric from halvings `{ halves, found }`. */
function fromHalvings(metric, own, halvings) {
  const terms = halvings.map(({ halves, found }) => ofHalves(own, found[metric], halves));
  return {
    covariance: meanOf(terms.map(({ covariance }) => covariance)),
    training: meanOf(terms.map(({ training }) => training)),
  };
}

/** Ten halvings of the data; `train(part, halving)`. */
function halvingsOf(data, uniform, train) {
  return Array.from({ length: HALVINGS }, (_, at) => {
    const halves = crossed(data, foldsOf(data.y, 2, uniform, false), (rows) => train(rows, at));
    return { halves, found: tested(data.y, halves) };
  });
}

const sumOfSquares = (values) => values.reduce((sum, value) => sum + value ** 2, 0);

/** Mean and standard deviation over repetitions of a list of numbers. */
function spread(values) {
  const mean = meanOf(values);
  return { mean, sd: Math.sqrt(sumOfSquares(values.map((value) => value - mean)) / (values.length - 1)) };
}

/** One cell: the mean of a part of the variance over the variance of the estimate, with its standard deviation. */
function relative(records, key, withSd = true) {
  const variance = spread(records.map(({ estimate }) => estimate)).sd ** 2;
  const { mean, sd } = spread(records.map((record) => record[key]));
  return withSd ? `${two(mean / variance)} (${two(sd / variance)})` : two(mean / variance);
}

const two = (value) => value.toFixed(2);
const three = (value) => value.toFixed(3);
const termsOf = (name, { covariance, training }) => ({ [`${name} C`]: covariance, [`${name} T`]: training });

function table(title, head, lines) {
  console.log(`\n${title}\n`);
  for (const cells of [head, head.map(() => '---'), ...lines]) console.log(`| ${cells.join(' | ')} |`);
}

/** Contrasts of folds beside those of halves, on the same data sets and about the same influences. */
function repeats() {
  const kinds = ['random folds', 'stratified folds'];
  const lines = ['noise', 'weak', 'rather-rare', 'shared-training-mean'].flatMap((name) => {
    const scenario = scenarioOf(name);
    const records = kinds.map(() => METRICS.map(() => []));
    for (let at = 0; at < REPETITIONS; at++) {
      const data = sampleOf(scenario, at);
      const { uniform } = stream(deriveSeed(options.seed, scenario.id, 'repeats', at));
      const train = (rows) => trainOn(scenario.learner, rows);
      const halvings = halvingsOf(data, uniform, train);
      for (const kind of kinds.keys()) {
        const runs = Array.from({ length: REPEATS }, () => {
          const folds = crossed(data, foldsOf(data.y, FOLDS, uniform, kind === 1), train);
          return { folds, found: tested(data.y, folds) };
        });
        for (const [m, metric] of METRICS.entries()) {
          const ofMetric = runs.map(({ folds, found }) => ({ folds, found: found[metric] }));
          const own = meanInfluences(ofMetric.map(({ found }) => found));
          records[kind][m].push({
            estimate: meanOf(ofMetric.map(({ found }) => found.value)),
            test: meanOf(ofMetric.map(({ found }) => sumOfSquares(found.influences))),
            ...termsOf('folds', ofFolds(own, ofMetric)),
            ...termsOf('halves', fromHalvings(metric, own, halvings)),
          });
        }
      }
    }
    return METRICS.map((metric, m) => {
      const [random, stratified] = records.map((found) => found[m]);
      const folds = [random, stratified].flatMap((found) => ['folds C', 'folds T'].map((key) => relative(found, key)));
      const halves = ['halves C', 'halves T'].map((key) => relative(random, key));
      return [scenario.name, metric, relative(random, 'test', false), ...folds, ...halves];
    });
  });
  const columns = [...kinds, 'halves'].flatMap((kind) => [`${kind}: C (sd)`, `T (sd)`]);
  table(
    `Repeats: 10 x 5-fold cross-validation without further fits (${REPETITIONS} data sets)`,
    ['scenario', 'metric', 'V_te', ...columns],
    lines,
  );
}

/** Halves of a network trained from scratch, from the network of a fold, and from the same weights. */
function warm() {
  const scenario = scenarioOf('network');
  const scratch = network(UNITS, STEPS);
  const further = network(UNITS, FURTHER_STEPS);
  const seeded = (rows) => ({ ...rows, seed: fingerprint(rows) });
  const kinds = {
    'from scratch': (rows) => scratch(seeded(rows)),
    'all from the same weights': (rows) => scratch({ ...rows, seed: 7 }),
    "from a fold's network, all steps": (rows, at, kept) => scratch({ ...rows, weights: kept[at % FOLDS] }),
    "from a fold's network, a third of the steps": (rows, at, kept) => further({ ...rows, weights: kept[at % FOLDS] }),
  };
  const records = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, METRICS.map(() => [])]));
  for (let at = 0; at < REPETITIONS; at++) {
    const data = sampleOf(scenario, at);
    const seed = deriveSeed(options.seed, scenario.id, 'warm', at);
    const kept = [];
    const folds = crossed(data, foldsOf(data.y, FOLDS, stream(seed).uniform, true), (rows) => {
      const model = scratch(seeded(rows));
      kept.push(model.weights);
      return model;
    });
    const found = tested(data.y, folds);
    for (const [kind, train] of Object.entries(kinds)) {
      // Every kind has the same halves.
      const halvings = halvingsOf(data, stream(seed + 1).uniform, (rows, halving) => train(rows, halving, kept));
      for (const [m, metric] of METRICS.entries()) {
        const { value, influences } = found[metric];
        records[kind][m].push({
          estimate: value,
          test: sumOfSquares(influences),
          level: meanOf(halvings.flatMap((halving) => halving.found[metric].byBlock)),
          ...termsOf('halves', fromHalvings(metric, influences, halvings)),
        });
      }
    }
  }
  const lines = METRICS.flatMap((metric, m) =>
    Object.keys(kinds).map((kind) => {
      const ofKind = records[kind][m];
      const levels = ['estimate', 'level'].map((key) => three(meanOf(ofKind.map((record) => record[key]))));
      const terms = ['halves C', 'halves T'].map((key) => relative(ofKind, key));
      return [metric, kind, ...levels, relative(ofKind, 'test', false), ...terms];
    }),
  );
  table(
    `Warm starts: halves of a network (${scenario.name}; ${REPETITIONS} data sets)`,
    ['metric', 'halves start', 'estimate', 'level of halves', 'V_te', 'C (sd)', 'T (sd)'],
    lines,
  );
}

/** Intervals with five halvings and with ten, on the same data sets and folds. */
async function five() {
  const lines = [];
  for (const name of ['noise', 'weak', 'shared-training-mean', 'network']) {
    const scenario = scenarioOf(name);
    const sums = truth(scenario, Number(options.seed), 0, Number(options.trainingSets));
    const limits = { 5: [], 10: [] };
    for (let at = 0; at < REPETITIONS; at++) {
      const data = sampleOf(scenario, at);
      const memo = new Map();
      const folds = deriveSeed(options.seed, scenario.id, 'five', at);
      for (const ciFits of [5, 10]) {
        limits[ciFits].push((await validate(scenario, data, folds, { ciFits }, { memo })).confidenceIntervals);
      }
    }
    for (const metric of METRICS) {
      const target = sums[metric].sum / sums[metric].count;
      const judged = [5, 10].map((ciFits) => {
        const given = limits[ciFits].map((found) => found[metric]).filter(({ lower }) => lower !== null);
        return {
          covered: meanOf(given.map(({ lower, upper }) => Number(lower <= target && target <= upper))),
          ...spread(given.map(({ lower, upper }) => upper - lower)),
        };
      });
      const [few, many] = judged;
      const widths = [two(few.mean / many.mean), ...judged.map(({ mean, sd }) => two(sd / mean))];
      lines.push([scenario.name, metric, three(few.covered), three(many.covered), ...widths]);
    }
  }
  table(
    `Five halvings: intervals with ciFits 5 and 10 (${REPETITIONS} data sets)`,
    ['scenario', 'metric', '5 covers', '10 covers', 'width of 5 / 10', 'sd of width / width: 5', '10'],
    lines,
  );
}

const PARTS = { repeats, warm, five };
const meant = options.only ?? Object.keys(PARTS);
const unknown = meant.filter((part) => !Object.hasOwn(PARTS, part));
if (unknown.length > 0) {
  console.error(`--only must be one of ${Object.keys(PARTS).join(', ')}; got ${unknown.join(', ')}.`);
  process.exit(1);
}
for (const part of meant) {
  const { user } = process.cpuUsage();
  await PARTS[part]();
  console.log(`\n${((process.cpuUsage().user - user) / 1e6).toFixed(0)} s of CPU`);
}
