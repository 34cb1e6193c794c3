/** What a run would score if its predictions had nothing to do with its labels. */
import { sum } from '../../core/numbers.js';
import { withoutInformation } from '../../metrics/bootstrap632.js';
import { combineFolds } from '../../metrics/combineFolds.js';
import type { Metric } from '../../metrics/metric.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import type { CVResults } from '../../runner/cvResults.js';
import { orientedScore } from '../results.js';

/** Pairs per fold that a regression is judged by: chance is averaged over many runs. */
const MOST_PAIRS = 1e5;

/**
 * The value that chance gives: in every fold each prediction meets each label, and the folds are combined as the metric
 * says. So it allows for the shares of the classes, for how often the model says which, and for training and test labels
 * that complement each other: .5 for `roc_auc`, the sum over classes of share times predicted share for `accuracy`. Null
 * where it is not known (several labels per row) or has no value.
 *
 * Source: the no-information rate of Efron & Tibshirani 1997, JASA 92:548, within folds.
 */
export function chanceOf(metric: Metric, { folds }: CVResults): number | null {
  const scored = folds.flatMap((result) => (result.status === 'completed' ? [result] : []));
  if (scored.some(({ table }) => table.task === 'multilabel')) return null;
  return combineFolds(
    metric,
    scored.map(({ table }) => ofEqualWeight(withoutInformation(table, MOST_PAIRS), table)),
    scored.map(({ fold }) => fold.repeat),
  ).value;
}

/** The table with the weight of all rows of `like`, so that folds count as they do in the run. */
function ofEqualWeight(table: ScoreTable, like: ScoreTable): ScoreTable {
  const weights = table.weight ?? new Float64Array(table.length).fill(1);
  const factor = weightOf(like) / (sum(weights) || 1);
  return { ...table, weight: weights.map((weight) => weight * factor) };
}

const weightOf = ({ weight, length }: ScoreTable) => (weight ? sum(weight) : length);

/** The best value that a metric can have, turned so that more is better. */
const bestOf = (metric: Metric): number =>
  orientedScore(
    metric,
    metric.direction === 'target' ? (metric.target ?? 0) : metric.range[metric.direction === 'maximize' ? 1 : 0],
  );

/** The way from chance to the best value, in the unit of the metric. */
export const distanceToBest = (metric: Metric, chance: number): number =>
  bestOf(metric) - orientedScore(metric, chance);

/** How far `value` lies above chance, as a part of the way to the best value: 0 is chance, 1 is perfect. */
export function aboveChance(metric: Metric, value: number, chance: number): number {
  const way = distanceToBest(metric, chance);
  return way > 0 ? (orientedScore(metric, value) - orientedScore(metric, chance)) / way : 0;
}
