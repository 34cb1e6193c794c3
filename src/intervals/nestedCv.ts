import { counted } from '../core/format.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { sum } from '../core/numbers.js';
import { concat, gather, rowNumbers } from '../data/labels.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import { framedInterval, type Limits } from './framedInterval.js';
import { countUnits, type Interval, type IntervalInput, joinNotes, type NestedTest } from './interval.js';
import { limitsOf } from './limits.js';
import { unitBlocks } from './unitBlocks.js';
import { unitVariance } from './unitVariance.js';

/**
 * For each fold k, a = (mean of the inner losses - mean of the outer losses)^2, where the outer losses are those of
 * fold k by the model without k, and the inner ones those of every other fold j by the model without j and k; b =
 * variance of the mean of the outer losses. The mean of a - b, times (K - 1) / K, is the squared standard error, held
 * between that of n independent losses and sqrt(K) times as much. The estimate is the mean of the inner losses less (1
 * + (K - 2) / K) times what it lies above that of the outer ones.
 *
 * Source: Bates, Hastie & Tibshirani 2024, JASA 119:1434; correction of the bias and bounds as in `ci.ncv` of
 * mlr3inferr.
 */
export function nestedCv(input: IntervalInput): Interval {
  const frame = { method: 'nested_cv', estimand: 'refitted_model', unfit: unfit(input) } as const;
  const interval = framedInterval(input, frame, () => nestedLimits(input, input.nested ?? []));
  return interval.lower === null ? interval : { ...interval, nTrain: interval.nUnits };
}

function unfit({ metric, nested }: IntervalInput): string | undefined {
  if (!metric.decomposable) return `nested_cv is for means of a loss of each row, which ${metric.name} is not`;
  return nested ? undefined : 'nested_cv needs models of its own, and none were trained';
}

function nestedLimits(input: IntervalInput, tests: readonly NestedTest[]): Limits {
  const { metric, unit, level } = input;
  const failed = tests.flatMap(({ error }) => error ?? []);
  if (failed.length > 0) return { reason: `${counted(failed.length, 'nested fit')} failed: ${failed[0]}` };
  const losses = tests.map((test) => rowLosses(metric, test));
  const invalid = losses.find((each) => !each.isMean);
  if (invalid && invalid.total > 0) return { reason: `${metric.name} is not the mean of the values of single rows` };
  if (invalid || losses.some((each) => each.inner === null && countUnits([each]) < 2)) {
    return { reason: `a fold of fewer than two ${unit}s with a weight has no variance` };
  }

  const outer = losses.filter((each) => each.inner === null);
  const inner = losses.filter((each) => each.inner !== null);
  const errCv = meanLoss(outer);
  const errNcv = meanLoss(inner);
  const repeats = new Set(outer.map(({ repeat }) => repeat)).size;
  const K = outer.length / repeats;
  const excess = outer.map((fold) => {
    const others = inner.filter((each) => each.repeat === fold.repeat && each.outer === fold.outer);
    return (meanLoss(others) - meanLoss([fold])) ** 2 - varianceOfMean([fold], fold.units);
  });
  const squared = (((K - 1) / K) * sum(excess)) / excess.length;
  // Every unit is tested again by each outer fold: its sums are squared one by one, and the mean of their squares
  // counts.
  const perOuterTest = inner.map(({ repeat, outer: fold, units }) => {
    const test = outer.findIndex((each) => each.repeat === repeat && each.outer === fold);
    return Float64Array.from(units, (code) => code * outer.length + test);
  });
  const low = Math.sqrt(repeats * (K - 1) * varianceOfMean(inner, concat(perOuterTest)));
  const high = low * Math.sqrt(K);
  const se = Math.min(high, Math.max(low, Math.sqrt(Math.max(0, squared))));

  const [least, most] = metric.range;
  const clip = (value: number) => Math.min(most, Math.max(least, value));
  const centre = errNcv - (1 + (K - 2) / K) * (errNcv - errCv);
  const estimate = clip(centre);
  const origin = `From ${counted(repeats, 'repeat')} of ${K} folds, ${(repeats * K * (K + 1)) / 2} models.`;
  if (low <= ROUNDING * (Number.isFinite(most - least) ? most - least : Math.abs(estimate))) {
    const flat = limitsOf(input, unitBlocks(input).flat(), { estimate, se: 0, df: 1 });
    return { ...flat, estimate, ...joinNotes(origin, flat.note) };
  }
  const half = normalQuantile((1 + level) / 2) * se;
  const [lower, upper] = [clip(estimate - half), clip(estimate + half)];
  const bound = se === low ? 'lower' : se === high ? 'upper' : undefined;
  const clipped = estimate !== centre || lower > estimate - half || upper < estimate + half;
  const notes = [
    origin,
    bound && `The standard error is at its ${bound} bound.`,
    clipped ? `Clipped to the range of the metric, ${least} to ${most}.` : undefined,
  ];
  return { estimate, lower, upper, ...joinNotes(...notes) };
}

const ROUNDING = 1e-12;

interface Losses extends Pick<NestedTest, 'repeat' | 'outer' | 'inner' | 'units'> {
  /** Times its weight. */
  readonly weighted: Float64Array;
  readonly weight: Float64Array;
  readonly total: number;
  /** The metric on all rows is the mean of the losses, as a decomposable one must be. */
  readonly isMean: boolean;
}

/** The influence function of a mean is, at 0, weight times loss over the sum of weights. */
function rowLosses(metric: Metric, { table: all, units, ...test }: NestedTest): Losses {
  const whole = all as ScoreTable;
  const rows = rowNumbers(whole.length).filter((row) => whole.weight?.[row] !== 0);
  const table = takeRows(whole, rows);
  const weight = table.weight ?? new Float64Array(rows.length).fill(1);
  const total = sum(weight);
  const weighted = metric.influence
    ? metric.influence(table, 0).map((each) => each * total)
    : weight.map((each, row) => each * (score(metric, takeRows(table, Int32Array.of(row))).value ?? Number.NaN));
  const value = score(metric, table).value ?? Number.NaN;
  const isMean = Math.abs(sum(weighted) / total - value) <= 1e-9 * Math.max(1, Math.abs(value));
  return { ...test, units: gather(units, rows), weighted, weight, total, isMean };
}

function meanLoss(parts: readonly Losses[]): number {
  const [above, below] = parts.reduce(([a, b], { weighted, total }) => [a + sum(weighted), b + total], [0, 0]);
  return above / below;
}

function varianceOfMean(parts: readonly Losses[], units: ArrayLike<number>): number {
  const centre = meanLoss(parts);
  const total = parts.reduce((sum, part) => sum + part.total, 0);
  const influence = concat(
    parts.map(({ weighted, weight }) => weighted.map((loss, row) => (loss - centre * weight[row]) / total)),
  );
  return unitVariance(influence, units).variance;
}
