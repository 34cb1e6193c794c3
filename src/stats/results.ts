import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { groupBy } from '../core/groupBy.js';
import type { MetricName } from '../core/knownNames.js';
import { labelsBehind } from '../core/labelsBehind.js';
import { MOST_DRAWS } from '../core/numbers.js';
import { integer, string } from '../core/options.js';
import { gather, type Label, rowNumbers, type Task } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';
import { isFixed, overFolds } from '../intervals/foldEstimate.js';
import type { IntervalFold } from '../intervals/interval.js';
import { lossOf, type Metric, score } from '../metrics/metric.js';
import { metricsFor } from '../metrics/metricsFor.js';
import { type ScoreTable, type ScoreTableInput, scoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import { hasNumbers } from '../runner/checkPredictions.js';
import type { CVResults } from '../runner/cvResults.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { Problem } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';

export type ScoredResults = Pick<CVResults, 'outOfFold' | 'foldDetails' | 'plan'> &
  ({ readonly metadata: RunMetadata } | { readonly manifest: RunMetadata });

/** Nothing, a promise, or the JSON of a result, which lacks the folds, is none. */
export function checkResults(subject: string, value: unknown): void {
  const { outOfFold, plan } = (value ?? {}) as Partial<ScoredResults>;
  if (outOfFold && typeof plan?.at === 'function') return;
  const way = outOfFold && 'Saved JSON cannot take its place.';
  throw new InvalidDataError(sentence(subject, 'be what `run` or `validate` gives, awaited', value, way));
}

export const metadataIn = (results: ScoredResults): RunMetadata =>
  'metadata' in results ? results.metadata : results.manifest;

export interface ScoredFold extends Omit<IntervalFold, 'score'> {
  readonly table: ScoreTable;
  readonly rows: Int32Array;
}

export interface ScoredFolds {
  readonly folds: readonly ScoredFold[];
  /** What counts as independent: `patient` where groups are known, else `row`. */
  readonly unit: string;
  /** Unit of every entry of the out-of-fold table. */
  readonly units: Int32Array;
}

/**
 * The folds that have predictions, with units coded alike in all of them. Rows of weight 0, and patients without
 * others, do not count.
 *
 * @param groups id of the unit of each entry of the out-of-fold table; null: rows are units. Left out: as in the run
 */
export function scoredFolds(results: ScoredResults, groups?: ArrayLike<Label> | null): ScoredFolds {
  const { outOfFold, foldDetails, plan } = results;
  const ids = groups === undefined ? outOfFold.group : groups;
  const units = ids ? groupsOf(ids, outOfFold.row.length).codes : outOfFold.row;
  const trained = trainingUnits(results, ids ? units : undefined);
  const all = tableOf(outOfFold, metadataIn(results));
  const counting = [...units.keys()].filter((at) => outOfFold.weight?.[at] !== 0);
  const places = groupBy(counting, (at) => outOfFold.fold[at]);
  const folds = foldDetails.flatMap(({ index, repeat }) => {
    const members = Int32Array.from(places.get(index) ?? []);
    if (members.length === 0) return [];
    return [
      {
        table: takeRows(all, members),
        rows: members.map((at) => outOfFold.row[at]),
        units: members.map((at) => units[at]),
        nTrain: trained(plan.at(index).train, members),
        repeat,
      },
    ];
  });
  return { folds, unit: ids ? 'patient' : 'row', units };
}

export const codesOf = (rows: Int32Array, codes: ArrayLike<number> | undefined): Int32Array =>
  codes ? rows.map((row) => codes[row]) : rows;

interface RunUnits {
  /** Unit of each row; without them, rows are units. */
  readonly codes: ArrayLike<number> | undefined;
  readonly weight: Problem['weight'];
  /** Number of units in the training set of a fold. */
  readonly nTrain: (index: number) => number;
}

/** The folds with units coded alike for all runs on the same rows. Rows of weight 0 do not count. */
export function foldsOfRun({ folds }: CVResults, { codes, weight, nTrain }: RunUnits) {
  const scored: ScoredFold[] = [];
  const failed: IntervalFold[] = [];
  for (const result of folds) {
    const { index, repeat, test } = result.fold;
    const places = rowNumbers(test.length).filter((place) => !weight || weight[test[place]] > 0);
    if (places.length === 0) continue;
    const rows = gather(test, places);
    const fitted = result.status === 'completed' ? result.nUnitsFitted : null;
    const facts = { repeat, units: codesOf(rows, codes), nTrain: fitted ?? nTrain(index) };
    if (result.status === 'completed') scored.push({ ...facts, rows, table: takeRows(result.table, places) });
    else failed.push({ ...facts, score: { value: null, reason: result.error.message } });
  }
  return { folds: scored, failed };
}

export const valuedFolds = (metric: Metric, folds: readonly ScoredFold[]): IntervalFold[] =>
  folds.map((fold) => ({ ...fold, score: score(metric, fold.table) }));

/** By default the metric of ranks, else the first of the task. */
export const metricFor = (name: string | undefined, task: Task): Metric =>
  metricsFor([name ?? DEFAULT_METRIC[task]], task)[0];

export const metricOf = (name: string | undefined, results: ScoredResults): Metric =>
  metricFor(name, metadataIn(results).task);

/** The metric as the estimate of the results has it: over all rows where one model scored them. */
export const metricIn = (results: ScoredResults, metric: Metric): Metric =>
  overFolds(metric, isFixedIn(results, metric));

export const isFixedIn = (results: ScoredResults, metric: Metric): boolean =>
  isFixed({ metadata: metadataIn(results), foldDetails: results.foldDetails }, metric);

export const DEFAULT_METRIC = {
  binary: 'roc_auc',
  multiclass: 'accuracy',
  multilabel: 'accuracy',
  regression: 'rmse',
  survival: 'concordance',
} as const;

export const metricOption = (role: string) =>
  string<MetricName>()
    .optional()
    .describe(
      `${role}; by default 'roc_auc' for a binary task, 'rmse' for regression, 'concordance' for survival, else 'accuracy'.`,
    );

export const resamplesOption = (text: string) => integer({ min: 100, max: MOST_DRAWS }).default(1000).describe(text);

export const orientedScore = (metric: Metric, value: number): number => -lossOf(metric, value);

/** With what scores of patients and of masks take. */
function tableOf(outOfFold: OutOfFold, metadata: RunMetadata): ScoreTable {
  const { group, row, spacing = [] } = outOfFold;
  const { masks, aggregate } = metadata;
  const table = rowsOfTable(outOfFold, metadata);
  if (!masks && !aggregate) return table;
  return {
    ...table,
    patients: group ? groupsOf(group, table.length).codes : row,
    ...(masks ? { shape: masks.shape, masks: { ...masks, spacing: flat(spacing) } } : {}),
    ...(aggregate && aggregate !== 'function' ? { aggregate } : {}),
  };
}

function rowsOfTable(outOfFold: OutOfFold, metadata: RunMetadata): ScoreTable {
  const { yTrue, yPred, yProba, weight } = outOfFold;
  const { task, classes, positiveLabel } = metadata;
  if (hasNumbers(task)) return tableOfNumbers(outOfFold, metadata);
  const binary = task === 'binary' && positiveLabel !== null;
  const labels = labelsBehind(classes, [...yTrue, ...yPred] as Label[]) ?? classes;
  return scoreTable({
    yTrue: yTrue as ScoreTableInput['yTrue'],
    yPred: yPred as NonNullable<ScoreTableInput['yPred']>,
    task,
    ...(binary || task === 'multiclass' ? { classes: labels } : {}),
    ...(binary ? { positiveLabel: labels[classes.indexOf(positiveLabel)] } : {}),
    ...(yProba ? { yProba: yProba as NonNullable<ScoreTableInput['yProba']> } : {}),
    ...(weight ? { sampleWeight: weight } : {}),
  });
}

function tableOfNumbers(
  { row, yTrue, yPred, yProba, event, censoring, weight }: OutOfFold,
  { task, survivalTimes, causeOfInterest = -1 }: RunMetadata,
): ScoreTable {
  const [first] = yTrue;
  return {
    ...{ task, length: row.length, positive: causeOfInterest, yTrue: flat(yTrue), yPred: flat(yPred) },
    classes: survivalTimes ?? (typeof first === 'number' ? [] : Array.from(first as ArrayLike<number>, (_, at) => at)),
    ...(yProba ? { yProba: flat(yProba) } : {}),
    ...(event ? { event: Int32Array.from(event) } : {}),
    ...(censoring ? { censoring: flat(censoring) } : {}),
    ...(weight ? { weight: Float64Array.from(weight) } : {}),
  };
}

const flat = (rows: ArrayLike<unknown>): Float64Array =>
  Float64Array.from(Array.from(rows).flatMap((row) => (typeof row === 'number' ? row : Array.from(row as number[]))));

/**
 * Counts the units of a training set. Results know the groups of tested rows alone; groups that were never tested count
 * with every training set that holds a row which was never tested.
 */
function trainingUnits(results: ScoredResults, codes: Int32Array | undefined) {
  const { row, weight } = results.outOfFold;
  const idle = new Set(row.filter((_, at) => weight?.[at] === 0));
  const counting = (train: Int32Array) => (idle.size > 0 ? train.filter((each) => !idle.has(each)) : train);
  if (!codes) return (train: Int32Array, _test: Int32Array) => new Set(counting(train)).size;
  const unitOf = new Map(Array.from(row, (each, at) => [each, codes[at]]));
  const known = new Set(codes).size;
  const unknown = Math.max(0, (metadataIn(results).nGroups ?? known) - known);
  return (train: Int32Array): number => {
    const found = new Set(Array.from(counting(train), (each) => unitOf.get(each)));
    return found.delete(undefined) ? found.size + unknown : found.size;
  };
}

/**
 * @param subject how the error names the two
 * @throws {InvalidDataError} the folds, the rows, the labels, the groups or the weights differ.
 */
export function checkSameFolds(subject: string, a: ScoredResults, b: ScoredResults): void {
  const [first, second] = [metadataIn(a), metadataIn(b)];
  const refuse = (must: string, got: string, code: string): never => {
    const way = 'Run both models with the same splitter and seed on the same data.';
    throw new InvalidDataError(sentence(subject, must, phrase(got), way), { code });
  };
  if (first.foldFingerprint !== second.foldFingerprint) {
    const got = `the fold fingerprints ${first.foldFingerprint} (${first.design}) and ${second.foldFingerprint} (${second.design})`;
    refuse('be of identical folds', got, 'different_folds');
  }
  if (!sameColumn(a, b, 'row') || !sameColumn(a, b, 'fold')) {
    refuse('hold the same folds', 'a fold that one of them lacks', 'different_folds');
  }
  for (const [column, words] of SAME_DATA) {
    if (!sameColumn(a, b, column)) refuse(`have the same ${words}`, 'different ones', 'different_data');
  }
  if (first.task !== second.task || first.positiveLabel !== second.positiveLabel) {
    refuse('have the same task and positive label', `${first.task} and ${second.task}`, 'different_data');
  }
}

const SAME_DATA = [
  ['yTrue', 'true labels'],
  ['group', 'groups'],
  ['weight', 'weights'],
] as const;

export function sameColumn(
  { outOfFold: a }: ScoredResults,
  { outOfFold: b }: ScoredResults,
  column: 'row' | 'fold' | 'yTrue' | 'group' | 'weight',
): boolean {
  const [x, y] = [a[column], b[column]];
  if (!x || !y) return !x && !y;
  return (
    x.length === y.length &&
    Array.prototype.every.call(x, (value, at) => value === y[at] || String(value) === String(y[at]))
  );
}
