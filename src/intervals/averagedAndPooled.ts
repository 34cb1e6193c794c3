import { formatNumber } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { concat } from '../data/labels.js';
import { combinedEstimate } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
import { blockInfluences, isInfluential, unitBlocks } from './unitBlocks.js';
import { unitVariance } from './unitVariance.js';

/** The two ways to get one number from several folds, and a warning when they disagree. */
export interface AveragedAndPooled {
  /** Mean of the folds' values; null when no fold has one. */
  readonly averaged: number | null;
  /** One value over the rows of all folds; null when there is none. */
  readonly pooled: number | null;
  /** Given when the two differ by more than chance explains, and by enough to matter. */
  readonly warning?: string;
}

/** Standard errors of their difference by which the two may differ. */
const NOISE = 2;
/** Share of the interval's width: a smaller difference changes no conclusion. */
const NEGLIGIBLE = 0.25;

/**
 * The standard error of the difference comes from the two influence functions, summed per patient; metrics without one
 * get no warning.
 *
 * Source: Parker, Günter & Bedo 2007, BMC Bioinformatics 8:326; Forman & Scholz 2010, SIGKDD Explorations 12:49.
 */
export function averagedAndPooled(
  { metric, folds, fixedModel }: Pick<IntervalInput, 'metric' | 'folds' | 'fixedModel'>,
  interval?: Pick<Interval, 'lower' | 'upper'>,
): AveragedAndPooled {
  const as = (combine: Metric['combine']) => {
    const combined = { ...metric, combine };
    const repeats = unitBlocks({ metric: combined, folds });
    return { repeats, value: combinedEstimate(combined, repeats).value };
  };
  const [byFold, byRow] = [as('mean'), as('pooled')];
  const values = { averaged: byFold.value, pooled: byRow.value };
  if (byFold.value === null || byRow.value === null || !isInfluential(metric)) return values;
  const gap = Math.abs(byFold.value - byRow.value);
  const { lower = null, upper = null } = interval ?? {};
  if (lower !== null && upper !== null && gap <= NEGLIGIBLE * (upper - lower)) return values;
  const variances = byFold.repeats.map((blocks, repeat) => {
    const alone = blocks.map(
      (block) => blockInfluences(metric, [block])?.influence ?? new Float64Array(block.units.length),
    );
    const pooled = blockInfluences(metric, byRow.repeats[repeat])?.influence;
    const difference = concat(alone).map((value, row) => value / alone.length - (pooled?.[row] ?? 0));
    return unitVariance(difference, allUnits(blocks)).variance;
  });
  const se = Math.sqrt(mean(variances));
  if (!(gap > NOISE * se && gap > 1e-9)) return values;
  if (fixedModel) {
    const warning = `${metric.name} of the fixed model is ${formatNumber(byRow.value)} over all rows, and ${formatNumber(byFold.value)} as the mean within folds: the folds (sites, for example) differ in the level of its scores, by more than chance explains. For patients of all of them together, and for one cut-off, ${formatNumber(byRow.value)} is what to expect.`;
    return { ...values, warning };
  }
  return {
    ...values,
    warning: `${metric.name} is ${formatNumber(byFold.value)} as the mean of folds and ${formatNumber(byRow.value)} pooled over rows, more than chance explains (standard error of the difference ${formatNumber(se)}): ${REASONS[metric.combine]}`,
  };
}

const REASONS: Readonly<Record<Metric['combine'], string>> = {
  mean: 'the fold models score on different scales, so the mean of folds is given.',
  pooled: 'folds are too small or unequal for a mean of ratios, so the pooled value is given.',
};
