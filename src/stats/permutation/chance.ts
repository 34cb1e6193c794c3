import type { CheckResult } from '../../checkers/check.js';
import { formatNumber } from '../../core/format.js';
import { mean, sum, unbiasedVariance } from '../../core/numbers.js';
import { wrapText } from '../../core/summaryText.js';
import { withoutInformation } from '../../metrics/bootstrap632.js';
import { combineFolds } from '../../metrics/combineFolds.js';
import type { Metric } from '../../metrics/metric.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import type { CVResults } from '../../runner/cvResults.js';
import { orientedScore } from '../results.js';

/** Pairs per fold of a regression: chance is averaged over many runs. */
const MOST_PAIRS = 1e5;

/**
 * In every fold each prediction meets each label, and the folds are combined as the metric says: .5 for `roc_auc`, the
 * sum over classes of share times predicted share for `accuracy`. Allows for training and test labels that complement
 * each other. Null for several labels per row, or without a value.
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

function ofEqualWeight(table: ScoreTable, like: ScoreTable): ScoreTable {
  const weights = table.weight ?? new Float64Array(table.length).fill(1);
  const factor = (like.weight ? sum(like.weight) : like.length) / (sum(weights) || 1);
  return { ...table, weight: weights.map((weight) => weight * factor) };
}

export function distanceToBest(metric: Metric, chance: number): number {
  const { direction, target = 0, range } = metric;
  const best = direction === 'target' ? target : range[direction === 'maximize' ? 1 : 0];
  return orientedScore(metric, best) - orientedScore(metric, chance);
}

export function aboveChance(metric: Metric, value: number, chance: number): number {
  const way = distanceToBest(metric, chance);
  return way > 0 ? (orientedScore(metric, value) - orientedScore(metric, chance)) / way : 0;
}

export function meanOf(values: readonly number[]): { mean: number; se: number } {
  return { mean: mean(values), se: Math.sqrt(unbiasedVariance(values) / values.length) };
}

export const pText = (p: number): string => (p < 0.001 ? 'p < .001' : `p = ${formatNumber(p)}`);

interface Shown extends Pick<CheckResult, 'code' | 'status' | 'message' | 'fix'> {
  readonly notes: readonly string[];
}

export const findingText = (title: string, { code, status, message, fix, notes }: Shown): string =>
  [
    `${title} (${code}): ${status}`,
    wrapText(message),
    ...(fix ? [wrapText(`Fix: ${fix}`)] : []),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
