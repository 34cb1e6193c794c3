import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { MOST_DRAWS, mean } from '../core/numbers.js';
import { type InputOf, integer, listOf, number, oneOf, optionTable, type Parsed } from '../core/options.js';
import { deriveSeed, freshSeed, permutation, randomSource } from '../core/random.js';
import { textTable, wrapText } from '../core/summaryText.js';
import { encode } from '../data/encode.js';
import type { Labels } from '../data/labels.js';
import { patientsOf } from '../data/sideData.js';
import type { Interval } from '../intervals/interval.js';
import { trainlessMethodNames } from '../intervals/methodNames.js';
import { intervalMethods } from '../intervals/registry.js';
import { unitStrata } from '../intervals/unitVariance.js';
import { combineFolds } from '../metrics/combineFolds.js';
import type { Score } from '../metrics/metric.js';
import type { Problem } from '../runner/readData.js';
import { withResult } from '../runner/runDirectory.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner } from '../splitters/foldsOf.js';
import { type Fold, type Splitter, seeded, withWarnings } from '../splitters/splitter.js';
import { limitsText } from './comparison/answers.js';
import {
  type Call,
  dataOf,
  fixedFolds,
  manyRunsShape,
  problemOf,
  type RunOn,
  withImpliedTask,
  withRuns,
} from './manyRuns.js';
import { foldsOfRun, metricFor, metricOption, valuedFolds } from './results.js';

type Seed = number | string;

const isSize = (size: unknown) => typeof size === 'number' && size > 0 && (size < 1 || Number.isSafeInteger(size));

export const learningCurveOptions = optionTable('learningCurve', {
  ...manyRunsShape,
  sizes: listOf<number>(
    'number',
    'be a list of ascending shares between 0 and 1, or of ascending numbers of patients',
    isSize,
  )
    .default([0.1, 0.25, 0.5, 0.75])
    .describe("Parts of each fold's training patients (rows without groups); all of them are always the last point."),
  metric: metricOption('What is drawn'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  ciMethod: oneOf(...trainlessMethodNames)
    .default('bootstrap')
    .describe('Method of the intervals.'),
  nBootstrap: integer({ min: 10, max: MOST_DRAWS }).default(1000).describe('Resamples, where the method draws some.'),
});

export type LearningCurveOptions = InputOf<typeof learningCurveOptions>;

/** One size of the training sets. */
export interface LearningCurvePoint {
  /** As it was asked for: a share or a number of units; null for the full training sets. */
  readonly size: number | null;
  /** Mean number of patients (rows without groups) in the training sets, and of rows. */
  readonly nTrain: number;
  readonly nTrainRows: number;
  /** Out-of-fold estimate with its interval. */
  readonly test: Interval;
  /** The same metric on the training rows themselves: how far it lies from `test` shows overfitting. */
  readonly train: Score;
  /** Values by fold. */
  readonly testScores: readonly Score[];
}

/** What `learningCurve` gives; points by ascending size. */
export interface LearningCurve {
  readonly metric: string;
  /** What was drawn: `patient` or `row`. */
  readonly unit: string;
  readonly points: readonly LearningCurvePoint[];
  summary(): string;
}

/**
 * How performance grows with the number of patients: the model is cross-validated on parts of each fold's training
 * patients. The test sets stay the same at all sizes, and the parts are nested: a larger one holds the smaller ones.
 * Patients are drawn anew in each fold and repeat, keeping the shares of the classes, at least one patient of each where
 * the size allows it; a patient comes with all rows.
 *
 * @throws {InvalidOptionError} sizes that do not ascend, that exceed a training set, or that come to the same number.
 * @throws {CVKitError} what `run` throws, for example when a model cannot be trained on so few patients.
 * @example
 * const curve = await learningCurve({ model, X, y, groups, cv: new RepeatedGroupKFold({ nRepeats: 3, randomState: 1 }) });
 * console.log(curve.summary());
 */
export async function learningCurve(input: LearningCurveOptions): Promise<LearningCurve> {
  const parsed = learningCurveOptions.parse(input);
  const call = { ...parsed, identity: parsed };
  return withResult(call.options, await curveOf(await withImpliedTask(call, dataOf(call))));
}

async function curveOf(call: Call & Parsed<typeof learningCurveOptions.shape>): Promise<LearningCurve> {
  const { cv, metric: name, sizes, level, ciMethod, nBootstrap } = call.options;
  const problem = problemOf(call);
  const labels = problem.y;
  const metric = metricFor(name, labels.task);
  const seed = call.options.randomState ?? freshSeed();
  const units = patientsOf(call.options, labels.length)?.codes;
  const plan = foldsOf(seeded(cv, seed), labels.length, labels, problem.data);
  const unit = units ? 'patient' : 'row';
  const points: LearningCurvePoint[] = [];
  const all = subsampledFolds(plan, problem, { units, unit, sizes, seed });
  const run = { metric: metric.name, randomState: seed, returnTrainScores: true };
  const addPoint = async (runOn: RunOn, thinned: ThinnedFolds) => {
    const results = await runOn(thinned.splitter);
    const completed = results.folds.filter((fold) => fold.status === 'completed');
    const tables = completed.flatMap(({ trainTable }) => trainTable ?? []);
    const repeats = completed.map(({ fold }) => fold.repeat);
    const nTrain = (index: number) => thinned.nTrain[index];
    const { folds: scored, failed } = foldsOfRun(results, { codes: units, weight: problem.weight, nTrain });
    const folds = [...valuedFolds(metric, scored), ...failed];
    const random = randomSource(deriveSeed(seed, 'interval', thinned.size ?? 'all'));
    const design = plan.claims;
    points.push({
      size: thinned.size,
      nTrain: mean(thinned.nTrain),
      nTrainRows: mean(results.foldDetails.map(({ nTrain }) => nTrain)),
      test: intervalMethods[ciMethod]({ metric, folds, level, unit, nBootstrap, random, design }),
      train: combineFolds({ ...metric, combine: 'mean' }, tables, repeats),
      testScores: results.scores[metric.name],
    });
  };
  await withRuns(call, { problem, cv: all[0].splitter, ...run }, async (runOn) => {
    for (const thinned of all) await addPoint(runOn, thinned);
  });
  return { metric: metric.name, unit, points, summary: () => summaryOf(metric.name, unit, points) };
}

function summaryOf(metric: string, unit: string, points: readonly LearningCurvePoint[]): string {
  const rows = points.map(({ nTrain, nTrainRows, test, train }) => [
    String(Math.round(nTrain)),
    ...(unit === 'row' ? [] : [String(Math.round(nTrainRows))]),
    formatNumber(train.value),
    formatNumber(test.estimate),
    limitsText(test),
  ]);
  const { estimand, level } = points[points.length - 1].test;
  const sizes = unit === 'row' ? ['training rows'] : [`training ${unit}s`, 'rows'];
  const heads = [...sizes, 'train', 'test', `${percentOf(level)} interval`];
  const reasons = [...new Set(points.flatMap(({ test }) => (test.reason ? [`No interval: ${test.reason}.`] : [])))];
  return [
    `Learning curve of ${nameText(metric)}: the same test sets, more and more training ${unit}s`,
    '',
    textTable([heads, ...rows], { numbers: true }),
    '',
    ...reasons.map((text) => wrapText(text)),
    wrapText(
      `Intervals are about ${estimand === 'procedure' ? 'the training procedure' : 'these predictions'}. Points share test rows and, being nested, training rows: read the shape, not the overlap of neighbouring intervals.`,
    ),
  ].join('\n');
}

interface ThinnedFolds {
  readonly size: number | null;
  readonly splitter: Splitter;
  readonly nTrain: readonly number[];
}

/** The folds of a plan with the first part of each training set's units, for each size; the last is the plan itself. */
function subsampledFolds(
  plan: FoldPlan,
  { y: labels, weight }: Problem,
  { units, unit, sizes, seed }: { units: Int32Array | undefined; unit: string; sizes: readonly number[]; seed: Seed },
): ThinnedFolds[] {
  // Rows of weight 0 are never trained on, and count as no unit.
  const folds = Array.from(plan, (fold) =>
    weight ? { ...fold, train: fold.train.filter((row) => weight[row] > 0) } : fold,
  );
  if (folds.some(hasInner)) {
    const must = 'have no inner folds, which are bound to all training rows';
    throw new InvalidOptionError(sentence('The `cv` option of learningCurve', must, phrase(plan.design)));
  }
  const orders = folds.map((fold) => unitOrder(fold, labels, units, deriveSeed(seed, 'thin', fold.id)));
  const counts = [...sizes, 1].map((size, at) =>
    orders.map(({ length }) => (at === sizes.length ? length : size < 1 ? Math.round(size * length) : size)),
  );
  counts.forEach((each, at) => {
    each.forEach((count, fold) => {
      const total = orders[fold].length;
      const before = at === 0 ? 1 : counts[at - 1][fold];
      if (at === sizes.length || (count > before && count < total)) return;
      const described = sizes[at] < 1 ? `${sizes[at]}, which is ${count}` : `${count}`;
      const text = `${described} of ${counted(total, `training ${unit}`)}${at === 0 ? '' : ` after ${before}`}, in ${folds[fold].id}`;
      const must = 'ascend in every fold, from 2 to less than its full training set (shares below 1, else counts)';
      const isAll = sizes[at] === 1 || count >= total;
      const way = isAll ? 'All rows are always the last point: leave that size out.' : undefined;
      throw new InvalidOptionError(sentence('The `sizes` option of learningCurve', must, phrase(text), way));
    });
  });
  return counts.map((each, at) => {
    const thin = (fold: CheckedFold, index: number): Fold => {
      const { id, test, repeat, excluded, train } = fold;
      const chosen = new Set(orders[index].subarray(0, each[index]));
      const kept = train.filter((row) => chosen.has(units ? units[row] : row));
      return { id, test, repeat, train: kept, ...(excluded ? { excluded } : {}) };
    };
    const thinned = withWarnings(plan.warnings, () => folds.map(thin).values());
    return { size: at === sizes.length ? null : sizes[at], splitter: fixedFolds(plan, thinned), nTrain: each };
  });
}

/** The units of each class are shuffled and spread evenly, so that every beginning has about the shares of the classes. */
function unitOrder({ train }: CheckedFold, labels: Labels, units: Int32Array | undefined, seed: number): Int32Array {
  const ids = units ? train.map((row) => units[row]) : train;
  const classed = labels.task === 'binary' || labels.task === 'multiclass';
  const strata = unitStrata(
    train.map((row) => (classed ? labels.codes[row] : 0)),
    ids,
  );
  const { classes, codes } = encode(ids);
  const stratumOf = new Int32Array(classes.length);
  codes.forEach((code, at) => {
    stratumOf[code] = strata[at];
  });
  const drawn = permutation(randomSource(seed), classes.length).entries();
  const members = groupBy(drawn, ([, code]) => stratumOf[code]);
  const spread = [...members.values()].flatMap((stratum) =>
    stratum.map(([at, code], rank) => ({ at, code, place: rank / stratum.length, size: stratum.length })),
  );
  // At the front all places are 0: the rarest class comes first.
  return Int32Array.from(
    spread.sort((a, b) => a.place - b.place || a.size - b.size || a.at - b.at),
    ({ code }) => classes[code],
  );
}
