/** The estimators of `BootstrapValidation` that need more than the rows left out. */

import { InvalidOptionError, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { concat } from '../data/labels.js';
import type { BootstrapEstimate } from '../intervals/confidenceIntervals.js';
import { bootstrap632, bootstrap632Plus, noInformation } from '../metrics/bootstrap632.js';
import { combineFolds } from '../metrics/combineFolds.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables, takeRows } from '../metrics/tableRows.js';
import type { CVResults } from '../runner/cvResults.js';
import type { CompletedFold, FoldResult } from '../runner/foldResult.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { BootstrapEstimator, Splitter } from '../splitters/splitter.js';

/** The estimator that a design asks for; undefined when the plain mean over rows left out is wanted. */
export function estimatorOf(splitter: Splitter): BootstrapEstimator | undefined {
  if (splitter.nested) {
    const outer = estimatorOf(splitter.nested.outer);
    if (outer === undefined) return undefined;
    const subject = 'The `estimator` of a BootstrapValidation that is the `outerCv`';
    throw new InvalidOptionError(sentence(subject, "be 'standard'", outer));
  }
  return splitter.estimator;
}

export const neededBy = (estimator: BootstrapEstimator | undefined) => ({
  ...(estimator ? { apparent: true } : {}),
  ...(estimator === 'optimism' ? { returnTrainScores: true } : {}),
});

type Estimated = Pick<CVResults, 'folds' | 'apparent' | 'plan' | 'scorers'>;

/**
 * `.632` and `.632+`: see {@link bootstrap632} and {@link bootstrap632Plus}. `optimism`: the apparent value less the mean
 * optimism of the models of the bootstrap samples, which is their value on their own sample (rows as often as they were
 * drawn) less their value on all rows.
 *
 * Source: Efron 1983, JASA 78:316; Efron & Tibshirani 1997, JASA 92:548; optimism, Harrell, Lee & Mark 1996, Statistics
 * in Medicine 15:361.
 */
export function bootstrapEstimates(cv: Estimated, estimator: BootstrapEstimator): Record<string, BootstrapEstimate> {
  return Object.fromEntries(
    cv.scorers.map(({ name, metric }) => {
      const found = metric
        ? estimate(cv, metric, estimator)
        : { reason: 'a scoring function cannot be taken apart; use defineMetric' };
      return [name, { estimator, value: null, ...found }];
    }),
  );
}

const isCompleted = (result: FoldResult): result is CompletedFold => result.status === 'completed';

type Found = Omit<BootstrapEstimate, 'estimator' | 'value'> & { readonly value?: number };

function estimate({ folds, apparent, plan }: Estimated, metric: Metric, estimator: BootstrapEstimator): Found {
  if (metric.ofPatients) return { reason: 'bootstrap estimates are of rows; the folds have scores of patients' };
  const samples = folds.filter(isCompleted);
  if (!apparent || !isCompleted(apparent) || samples.length < folds.length) return { reason: 'a fold failed' };
  const own = score(metric, apparent.table);
  if (own.value === null) return { reason: own.reason };
  if (estimator === 'optimism') return byOptimism(metric, plan, samples, own.value);
  if (metric.combine === 'pooled' && !metric.weighted) return { apparent: own.value, reason: notWeighted(metric) };
  const tables = metric.combine === 'pooled' ? [everyRowOnce(samples)] : samples.map(({ table }) => table);
  const out = combineFolds(metric, tables);
  if (out.value === null) return { apparent: own.value, reason: out.reason };
  const parts = { apparent: own.value, outOfBag: out.value, ...(out.note ? { note: out.note } : {}) };
  if (estimator === '.632') return { ...parts, value: bootstrap632(parts) };
  const none = noInformation(metric, apparent.table);
  if (none.value === null) return { ...parts, reason: none.reason };
  const all = { ...parts, noInformation: none.value };
  return { ...all, ...bootstrap632Plus({ ...all, metric }) };
}

const notWeighted = ({ name }: Metric) =>
  `${nameText(name)} does not declare \`weighted\`, so a row would count as often as samples left it out`;

/** The rows left out, each with the weight of one however many samples left it out: Efron & Tibshirani's mean over rows. */
function everyRowOnce(samples: readonly CompletedFold[]): ScoreTable {
  const rows = concat(samples.map(({ fold }) => fold.test));
  const times = new Map<number, number>();
  for (const row of rows) times.set(row, (times.get(row) ?? 0) + 1);
  const table = joinTables(samples.map(({ table }) => table));
  const weight = Float64Array.from(rows, (row, at) => (table.weight?.[at] ?? 1) / (times.get(row) as number));
  return { ...table, weight };
}

function byOptimism(metric: Metric, plan: FoldPlan, samples: readonly CompletedFold[], apparent: number): Found {
  const differences = samples.flatMap(({ fold, table, trainTable }) => {
    const drawn = trainTable as ScoreTable;
    const { train } = plan.at(fold.index);
    const once = Int32Array.from(train.keys()).filter((at) => train[at] !== train[at - 1]);
    const onSample = score(metric, drawn);
    const onAll = score(metric, joinTables([takeRows(drawn, once), table]));
    return onSample.value === null || onAll.value === null ? [] : [onSample.value - onAll.value];
  });
  if (differences.length === 0) return { apparent, reason: 'no bootstrap sample has a value' };
  const optimism = mean(differences);
  const lost = samples.length - differences.length;
  const note = `${lost} of ${counted(samples.length, 'bootstrap sample')} left the metric undefined.`;
  return { apparent, optimism, value: apparent - optimism, ...(lost > 0 ? { note } : {}) };
}

export const estimateValues = (estimates: Readonly<Record<string, { readonly value: number | null }>>) =>
  Object.fromEntries(Object.entries(estimates).map(([name, { value }]) => [name, value]));
