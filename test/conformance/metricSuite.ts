/** What every metric must do ("Metric" in the architecture): facts, range, order, weights, 0/0, intervals. */

import { permutation, type RandomSource, randomSource } from '../../src/core/random.js';
import type { Task } from '../../src/data/labels.js';
import { oofBootstrap } from '../../src/intervals/bootstrap.js';
import { lossOf, type Metric, score } from '../../src/metrics/metric.js';
import { labelsFromProbabilities, type ScoreTable } from '../../src/metrics/scoreTable.js';
import { takeRows } from '../../src/metrics/tableRows.js';
import { type ConformanceCase, ensure, requireParts } from './suite.js';

export interface MetricSuiteOptions {
  /** Cases that do not hold for this metric, each with the reason: `{ 'binary: worst predictions': '...' }`. */
  readonly except?: Readonly<Record<string, string>>;
}

/**
 * The cases for one metric, on seeded tables of each of its tasks.
 *
 * @example
 * const errors = defineMetric({
 *   name: 'share_of_errors', description: 'Share of wrong labels.', direction: 'minimize', range: [0, 1],
 *   tasks: ['binary'], needs: 'labels', combine: 'pooled',
 *   compute: ({ yTrue: truth, yPred: label }) => truth.filter((each, row) => each !== label[row]).length / truth.length,
 * });
 * const cases = metricSuite(errors);
 * for (const { run } of cases) await run(); // in a test file: test(name, run)
 * console.log(cases[0].name, cases[1].name);
 */
export function metricSuite(metric: Metric, { except = {} }: MetricSuiteOptions = {}): ConformanceCase[] {
  requireParts('metricSuite', metric, { name: 'string', tasks: 'object', compute: 'function' });
  const cases = [
    { name: 'facts', run: () => checkFacts(metric) },
    ...metric.tasks.flatMap((task) =>
      Object.entries(CHECKS).map(([name, check]) => ({ name: `${task}: ${name}`, run: () => check(metric, task) })),
    ),
  ];
  for (const [name, reason] of Object.entries(except)) {
    ensure(
      cases.some((each) => each.name === name) && reason !== '',
      `The exception '${name}' of ${metric.name} must name a case and give a reason.`,
    );
  }
  return cases.filter(({ name }) => !(name in except));
}

function checkFacts({ name, description, range, tasks, direction, target, needs, combine }: Metric): void {
  ensure(/^[a-z][a-z0-9_]*$/.test(name), `The name ${name} must be snake_case.`);
  ensure(description.length > 0, `${name} must have a description.`);
  ensure(range[0] < range[1], `The range of ${name} must ascend. Got [${range}].`);
  ensure(tasks.length > 0, `${name} must serve at least one task.`);
  const directions = ['maximize', 'minimize', 'target'];
  ensure(directions.includes(direction), `The direction of ${name} must be one of ${directions.join(', ')}.`);
  ensure(
    direction === 'target' ? Number.isFinite(target) : target === undefined,
    `${name} must have a target exactly if its direction is target.`,
  );
  ensure(['labels', 'probabilities'].includes(needs), `${name} must need labels or probabilities.`);
  ensure(['mean', 'pooled'].includes(combine), `${name} must combine as mean or pooled.`);
}

const CHECKS: Record<string, (metric: Metric, task: Task) => void> = {
  'value in range': inRange,
  'perfect predictions': perfectPredictions,
  'worst predictions': worstPredictions,
  'order of rows': orderOfRows,
  'weight k is the row k times': weightsAreCounts,
  'undefined is null with a reason': undefinedIsNull,
  'positive class is the one named': positiveIsNamed,
  'input not mutated': inputNotMutated,
  'reads what it needs': readsWhatItNeeds,
  'influence is the slope in the weight of a row': influenceIsSlope,
  'interval holds the estimate within the range': intervalHolds,
  'interval narrows with n': intervalNarrows,
};

const SEEDS = [1, 2, 3, 4, 5];

function inRange(metric: Metric, task: Task): void {
  const [low, high] = metric.range;
  const tables = SEEDS.flatMap((seed) =>
    [12, 40].flatMap((n) => [false, true].map((weighted) => randomTable(task, n, seed, weighted))),
  );
  const values = tables.flatMap((table) => score(metric, table).value ?? []);
  ensure(values.length >= tables.length / 2, `${metric.name} must have a value on most ordinary tables.`);
  const outside = values.find((value) => !(value >= low && value <= high));
  ensure(outside === undefined, `${metric.name} must lie in [${low}, ${high}]. Got ${outside}.`);
}

function perfectPredictions(metric: Metric, task: Task): void {
  if (metric.direction === 'target') {
    const value = valueFor(metric, calibratedTable());
    ensure(
      near(value, metric.target as number),
      `${metric.name} of calibrated predictions must be ${metric.target}. Got ${value}.`,
    );
    return;
  }
  for (const seed of SEEDS) {
    const table = withPredictions(randomTable(task, 30, seed, true), 'right');
    const best = metric.direction === 'maximize' ? metric.range[1] : metric.range[0];
    const value = valueFor(metric, table);
    ensure(
      Number.isFinite(best)
        ? near(value, best)
        : better(metric, value, valueFor(metric, randomTable(task, 30, seed, true))),
      `${metric.name} of perfect predictions must be the optimum, ${best}. Got ${value}.`,
    );
  }
}

function worstPredictions(metric: Metric, task: Task): void {
  if (metric.direction === 'target') {
    const [bad, good] = [valueFor(metric, calibratedTable(4)), valueFor(metric, calibratedTable())];
    ensure(
      better(metric, good, bad),
      `${metric.name} of overconfident predictions must be further from ${metric.target}. Got ${bad}.`,
    );
    return;
  }
  for (const seed of SEEDS) {
    const some = randomTable(task, 30, seed, true);
    const worst = metric.direction === 'maximize' ? metric.range[0] : metric.range[1];
    const value = valueFor(metric, withPredictions(some, 'wrong'));
    ensure(
      Number.isFinite(worst) ? near(value, worst) : better(metric, valueFor(metric, some), value),
      `${metric.name} of the worst predictions must be the pessimum, ${worst}. Got ${value}.`,
    );
  }
}

function orderOfRows(metric: Metric, task: Task): void {
  for (const seed of SEEDS) {
    const table = randomTable(task, 30, seed, true);
    const shuffled = takeRows(table, permutation(randomSource(seed), table.length));
    sameScore(metric, table, shuffled, 'must not depend on the order of the rows');
  }
}

/** What `weighted` declares. A metric without it must not follow weights, or resamples and `sampleWeight` would lose them. */
function weightsAreCounts(metric: Metric, task: Task): void {
  for (const seed of SEEDS) {
    const plain = randomTable(task, 30, seed, false);
    if (!metric.weighted) {
      const uneven = { ...plain, weight: Float64Array.from({ length: plain.length }, (_, row) => 1 + (row % 3)) };
      sameScore(metric, plain, uneven, 'follows the weights of its rows, so it must declare `weighted: true`');
      continue;
    }
    const random = randomSource(seed);
    const counts = Float64Array.from({ length: plain.length }, () => random.uint32() % 4);
    const weighted = { ...plain, weight: counts };
    const rows = Array.from(counts).flatMap((count, row) => Array.from({ length: count }, () => row));
    sameScore(metric, weighted, takeRows(plain, Int32Array.from(rows)), 'must count weight k as the row k times');
    const scaled = { ...plain, weight: counts.map((count) => 0.3 * count) };
    sameScore(metric, weighted, scaled, 'must not change when all weights are multiplied');
    const ones = { ...plain, weight: new Float64Array(plain.length).fill(1) };
    sameScore(metric, plain, ones, 'must count a missing weight as 1');
  }
}

function undefinedIsNull(metric: Metric, task: Task): void {
  const table = randomTable(task, 30, 1, false);
  const degenerate = [
    ...Array.from({ length: 6 }, (_, row) => takeRows(table, Int32Array.of(row))),
    takeRows(table, Int32Array.of(0, 0, 0)),
    ...oneValued(table, 'yTrue'),
    ...oneValued(table, 'yPred'),
    ...oneValued(table, 'yTrue').flatMap((same) => oneValued(same, 'yPred')),
    ...oneValued(table, 'yTrue').flatMap((same) => [withPredictions(same, 'right'), withPredictions(same, 'wrong')]),
  ];
  for (const each of degenerate) {
    const raw = metric.compute(each);
    const said = typeof raw === 'number' ? Number.isFinite(raw) : typeof raw.reason === 'string' && raw.reason !== '';
    ensure(
      said,
      `${metric.name} must be a finite number or say why it is undefined. Got ${JSON.stringify(raw)} (${raw}).`,
    );
    const rests = metric.stratum;
    if (rests && Array.from({ length: each.length }, (_, row) => rests(each, row)).every((stratum) => stratum < 0)) {
      ensure(typeof raw !== 'number', `${metric.name} must be undefined where no row counts (0/0). Got ${raw}.`);
    }
  }
  const empty = [takeRows(table, new Int32Array(0)), { ...table, weight: new Float64Array(table.length) }];
  for (const each of empty) {
    const found = score(metric, each);
    ensure(found.value === null && found.reason !== '', `${metric.name} of no rows must be null with a reason.`);
  }
}

function positiveIsNamed(metric: Metric, task: Task): void {
  if (task !== 'binary') return;
  for (const seed of SEEDS) {
    const table = randomTable(task, 30, seed, true);
    const flip = (codes: ArrayLike<number>) => Int32Array.from(codes, (c) => 1 - c);
    const renamed = { ...table, positive: 1 - table.positive, yTrue: flip(table.yTrue), yPred: flip(table.yPred) };
    sameScore(metric, table, renamed, 'must find the positive class by `positive` of the table, whatever its code');
  }
}

function inputNotMutated(metric: Metric, task: Task): void {
  const table = randomTable(task, 30, 1, true);
  const parts = (['yTrue', 'yPred', 'yProba', 'weight'] as const).map((part) => [part, table[part]] as const);
  const before = parts.map(([, values]) => (values ? Array.from(values) : undefined));
  score(metric, Object.freeze(table));
  parts.forEach(([part, values], i) => {
    ensure(
      !values || Array.from(values).every((v, at) => v === before[i]?.[at]),
      `${metric.name} must not change ${part}.`,
    );
  });
}

function readsWhatItNeeds(metric: Metric, task: Task): void {
  const table = randomTable(task, 30, 1, true);
  const { yProba: _, ...bare } = table;
  if (metric.needs === 'labels') sameScore(metric, table, bare, 'needs labels, so it must not read probabilities');
  else ensure(score(metric, bare).value === null, `${metric.name} must be null without probabilities.`);
}

/** By central differences: a weight of 1 + h and of 1 - h on one row, for metrics that honour weights. */
function influenceIsSlope(metric: Metric, task: Task): void {
  if (!metric.influence || !metric.weighted) return;
  const h = 1e-4;
  for (const seed of SEEDS) {
    const table = randomTable(task, 30, seed, false);
    const at = score(metric, table);
    if (at.value === null) continue;
    const influence = metric.influence(table, at.value);
    for (let row = 0; row < table.length; row++) {
      const [up, down] = [h, -h].map((step) => {
        const weight = new Float64Array(table.length).fill(1);
        weight[row] += step;
        return score(metric, { ...table, weight }).value as number;
      });
      const slope = (up - down) / (2 * h);
      ensure(
        Math.abs(slope - influence[row]) <= 1e-5 * Math.max(1, Math.abs(slope)),
        `${metric.name} must have the influence ${slope} for row ${row}. Got ${influence[row]}.`,
      );
    }
  }
}

function intervalHolds(metric: Metric, task: Task): void {
  for (const table of [randomTable(task, 60, 2, true), withPredictions(randomTable(task, 60, 2, false), 'right')]) {
    const { estimate, lower, upper, reason } = intervalOf(metric, table);
    if (lower === null || upper === null)
      ensure(reason, `An interval of ${metric.name} without limits must give a reason.`);
    else {
      ensure(
        estimate !== null && lower <= estimate && estimate <= upper,
        `[${lower}, ${upper}] must hold ${estimate}.`,
      );
      ensure(lower < upper, `The interval of ${metric.name} must have width. Got [${lower}, ${upper}].`);
      const [low, high] = metric.range;
      ensure(
        low <= lower && upper <= high,
        `[${lower}, ${upper}] must stay within [${low}, ${high}] of ${metric.name}.`,
      );
    }
  }
}

function intervalNarrows(metric: Metric, task: Task): void {
  const widthOf = (n: number) => {
    const { lower, upper, reason } = intervalOf(metric, randomTable(task, n, 3, false));
    ensure(
      lower !== null && upper !== null,
      `${metric.name} must have an interval for ${n} rows. Got none: ${reason}.`,
    );
    return upper - lower;
  };
  const [small, large] = [widthOf(90), widthOf(1440)];
  ensure(
    large < small / 2,
    `The interval of ${metric.name} must narrow with n. Got ${small} for 90, ${large} for 1440 rows.`,
  );
}

// ---- helpers ------------------------------------------------------------------------------------------------------

function intervalOf(metric: Metric, table: ScoreTable) {
  const folds = [0, 1, 2].map((fold) => {
    const units = Int32Array.from({ length: table.length / 3 }, (_, i) => 3 * i + fold);
    const rows = takeRows(table, units);
    return { table: rows, units, repeat: 0, nTrain: table.length - units.length, score: score(metric, rows) };
  });
  return oofBootstrap({ metric, folds, level: 0.95, unit: 'row', nBootstrap: 200, random: randomSource(7) });
}

function valueFor(metric: Metric, table: ScoreTable): number {
  const found = score(metric, table);
  ensure(
    found.value !== null,
    `${metric.name} must have a value on ordinary rows. Got null: ${'reason' in found && found.reason}.`,
  );
  return found.value;
}

function sameScore(metric: Metric, a: ScoreTable, b: ScoreTable, must: string): void {
  const [left, right] = [score(metric, a).value, score(metric, b).value];
  const same = left === null || right === null ? left === right : near(left, right);
  ensure(same, `${metric.name} ${must}. Got ${left} and ${right}.`);
}

const near = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
const better = (metric: Metric, a: number, b: number) => lossOf(metric, a) < lossOf(metric, b);

/** Every way to make all entries of a part equal. */
function oneValued(table: ScoreTable, part: 'yTrue' | 'yPred'): ScoreTable[] {
  const values =
    table.task === 'regression' || table.task === 'survival'
      ? [0.5, 1, 5]
      : table.task === 'multilabel'
        ? [0, 1]
        : table.classes.keys();
  return Array.from(values, (value) => ({ ...table, [part]: Float64Array.from(table[part], () => value) }));
}

/** A seeded table with ties, every class in every third of it, and weights (with zeros) when asked. */
function randomTable(task: Task, n: number, seed: number, weighted: boolean): ScoreTable {
  const random = randomSource(seed);
  const classes = { binary: [0, 1], multiclass: [1, 2, 3], multilabel: [0, 1, 2], regression: [], survival: [1, 2, 3] }[
    task
  ];
  const width = task === 'multilabel' ? 3 : 1;
  const facts = { task, length: n, classes, positive: task === 'binary' || task === 'survival' ? 1 : -1 };
  const weights = () =>
    Float64Array.from({ length: n }, (_, row) => (row > 8 && random.uint32() % 5 === 0 ? 0 : 0.5 + random.random()));
  const weight = weighted ? { weight: weights() } : {};
  if (task === 'regression') {
    const yTrue = Float64Array.from({ length: n }, () => Math.round(40 * random.random()) / 4);
    return { ...facts, yTrue, yPred: yTrue.map((v) => 2 + 0.6 * v + 3 * (random.random() - 0.5)), ...weight };
  }
  const first = (row: number) => Math.floor(row / 3); // classes in turn over the first rows of each third
  if (task === 'survival') {
    const yTrue = Float64Array.from({ length: n }, () => (1 + Math.floor(16 * random.random())) / 4);
    const event = Int32Array.from({ length: n }, (_, row) => Number(first(row) === 1 || random.uint32() % 3 > 0));
    const yPred = yTrue.map((time) => Math.round(4 * (2 * random.random() - time)) / 4);
    const yProba = Float64Array.from({ length: 3 * n }, (_, at) =>
      Math.exp(-(1 + (at % 3)) * Math.exp(yPred[Math.floor(at / 3)])),
    );
    return { ...facts, yTrue, event, yPred, yProba, ...weight };
  }
  const yTrue = Int32Array.from({ length: n * width }, (_, at) =>
    width === 1 && first(at) < classes.length ? first(at) : random.uint32() % (width === 1 ? classes.length : 2),
  );
  const yProba = task === 'multiclass' ? simplexRows(random, yTrue, classes.length) : tiedProbabilities(random, yTrue);
  return { ...facts, yTrue, yPred: labelsFromProbabilities(yProba, facts), yProba, ...weight };
}

const tiedProbabilities = (random: RandomSource, yTrue: Int32Array) =>
  Float64Array.from(yTrue, (y) => Math.round(10 * (0.25 * y + 0.75 * random.random())) / 10);

function simplexRows(random: RandomSource, yTrue: Int32Array, k: number): Float64Array {
  const out = new Float64Array(yTrue.length * k);
  yTrue.forEach((y, row) => {
    const cells = Array.from({ length: k }, (_, c) => random.random() + (c === y ? 0.5 : 0));
    const sum = cells.reduce((total, cell) => total + cell, 0);
    out.set(
      cells.map((cell) => cell / sum),
      row * k,
    );
  });
  return out;
}

/**
 * Binary rows of which as many are positive as their probability says: 1 of 5 at .2, 2 of 5 at .4, 4 of 5 at .8. A
 * `power` above 1 makes the odds more extreme.
 */
function calibratedTable(power = 1): ScoreTable {
  const shares = [1, 2, 4];
  const yTrue = shares.flatMap((hits) => [0, 1, 2, 3, 4].map((at) => (at < hits ? 1 : 0)));
  const yProba = Float64Array.from(yTrue, (_, row) => {
    const share = shares[Math.floor(row / 5)] / 5;
    return share ** power / (share ** power + (1 - share) ** power);
  });
  const facts = { task: 'binary' as const, length: yTrue.length, classes: [0, 1], positive: 1 };
  return { ...facts, yTrue, yPred: labelsFromProbabilities(yProba, facts), yProba };
}

/** The same truth with predictions that could not be better, or worse. */
function withPredictions(table: ScoreTable, quality: 'right' | 'wrong'): ScoreTable {
  if (table.task === 'survival') {
    const sign = quality === 'right' ? -1 : 1;
    const lives = (at: number) => table.yTrue[Math.floor(at / 3)] > Number(table.classes[at % 3]);
    const yProba = (table.yProba as Float64Array).map((_, at) => Number(lives(at) === (quality === 'right')));
    return {
      ...table,
      yPred: Float64Array.from(table.yTrue, (time, row) => sign * (time + (table.event?.[row] ? 0 : 0.1))),
      yProba,
    };
  }
  const { task, classes, yTrue, positive } = table;
  const right = quality === 'right';
  if (task === 'regression') return { ...table, yPred: Float64Array.from(yTrue, (v) => (right ? v : 1000 - 100 * v)) };
  const k = task === 'multilabel' ? 2 : classes.length;
  const yPred = Int32Array.from(yTrue, (code) => (right ? code : (code + 1) % k));
  const oneHot = () =>
    Float64Array.from(Array.from(yPred).flatMap((code) => classes.map((_, c) => (c === code ? 1 : 0))));
  const yProba =
    task === 'multiclass'
      ? oneHot()
      : Float64Array.from(yPred, (code) => (code === (task === 'binary' ? positive : 1) ? 1 : 0));
  return { ...table, yPred, yProba };
}
