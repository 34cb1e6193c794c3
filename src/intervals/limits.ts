import { counted, formatNumber } from '../core/format.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import type { Metric } from '../metrics/metric.js';
import { joinTables } from '../metrics/tableRows.js';
import { scoreLimits, wilson } from './binomialLimits.js';
import { effectiveUnits } from './effectiveUnits.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
import { scaleOf } from './scale.js';
import type { UnitBlock } from './unitBlocks.js';

/** Smaller than this, relative to the range or the estimate, is rounding. */
const ROUNDING = 1e-12;

export interface Spread {
  readonly estimate: number;
  /** Standard error of the estimate. */
  readonly se: number;
  /** Degrees of freedom of the standard error. */
  readonly df: number;
  /** Joins a variance between test units with what training adds, for an estimate at a bound. */
  readonly withTraining?: ((test: Variance) => Variance) | undefined;
}

interface Variance {
  readonly variance: number;
  readonly df: number;
}

/** Whether an estimate lies at the end of the range of its metric, where a standard error says nothing. */
function isAtBound({ range: [low, high] }: Pick<Metric, 'range'>, estimate: number): boolean {
  const rounding = roundingOf(low, high, estimate);
  return estimate - low <= rounding || high - estimate <= rounding;
}

const roundingOf = (low: number, high: number, estimate: number) =>
  ROUNDING * (Number.isFinite(high - low) ? high - low : Math.abs(estimate));

/**
 * Limits from a standard error, symmetric on the scale of {@link scaleOf} by the delta method, with Student's t. An
 * estimate at the bound of a finite range, or without spread, gets Wilson's interval for the {@link effectiveUnits}
 * instead, widened by what training adds where that is known; without a finite range it gets none, with the reason.
 */
export function limitsOf(
  {
    metric,
    level,
    unit,
  }: Pick<IntervalInput, 'level' | 'unit'> & {
    readonly metric: Pick<Metric, 'range' | 'stratum'>;
  },
  blocks: readonly UnitBlock[],
  { estimate, se, df, withTraining }: Spread,
): Pick<Interval, 'lower' | 'upper' | 'note' | 'reason'> {
  const [low, high] = metric.range;
  const finite = Number.isFinite(high - low);
  if (!isAtBound(metric, estimate) && se > roundingOf(low, high, estimate)) {
    const scale = scaleOf(metric.range);
    const half = studentTQuantile((1 + level) / 2, df) * se * scale.slope(estimate);
    const centre = scale.to(estimate);
    return { lower: scale.back(centre - half), upper: scale.back(centre + half) };
  }
  if (!finite) return { lower: null, upper: null, reason: `the estimate, ${formatNumber(estimate)}, has no spread` };
  const n = effectiveUnits(metric, joinTables(blocks.map(({ table }) => table)), allUnits(blocks));
  const width = high - low;
  const share = Math.min(1, Math.max(0, (estimate - low) / width));
  const plain = wilson(share, n, level);
  const [lower, upper] = withTraining
    ? widened({ share, n, level, plain }, (test) => scaled(withTraining(scaled(test, width ** 2)), width ** -2))
    : plain;
  return {
    lower: Math.min(estimate, low + lower * (high - low)),
    upper: Math.max(estimate, low + upper * (high - low)),
    note: `The estimate is at the end of its range or does not vary: limits by Wilson's formula from ${worth(n, unit)}${withTraining ? ', with what training adds' : ''}.`,
  };
}

const scaled = ({ variance, df }: Variance, by: number): Variance => ({ variance: variance * by, df });

interface Share {
  readonly share: number;
  readonly n: number;
  readonly level: number;
  /** Wilson's limits. */
  readonly plain: readonly [lower: number, upper: number];
}

/** The variance of a share at the limit inside the range stands for that between test units: at the bound it is 0. */
function widened({ share, n, level, plain: [lower, upper] }: Share, joined: (test: Variance) => Variance) {
  const inside = share < 0.5 ? upper : lower;
  const tested = (inside * (1 - inside)) / n;
  const { variance, df } = joined({ variance: tested, df: n - 1 });
  return scoreLimits(share, n, studentTQuantile((1 + level) / 2, df), Math.max(0, variance - tested));
}

/** Units of unequal weight are worth a fractional number of equal ones. */
const worth = (n: number, unit: string) =>
  Math.abs(n - Math.round(n)) < 1e-9
    ? counted(Math.round(n), unit)
    : `${unit}s of unequal weight that are worth ${n.toFixed(1)} equal ones`;
