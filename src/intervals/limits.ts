import { counted, formatNumber } from '../core/format.js';
import { studentTQuantile, wilson } from '../core/incompleteBeta.js';
import type { Metric } from '../metrics/metric.js';
import { joinTables } from '../metrics/tableRows.js';
import { effectiveUnits } from './effectiveUnits.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
import type { UnitBlock } from './unitBlocks.js';

/** Smaller than this, relative to the range or the estimate, is rounding. */
const ROUNDING = 1e-12;

interface LimitInput {
  readonly estimate: number;
  readonly se: number;
  readonly df: number;
  /** Widens Wilson's limits of an estimate at a bound by what training adds. */
  readonly widened?: ((share: RangeShare) => Limits) | undefined;
}

type Limits = readonly [lower: number, upper: number];

export interface RangeShare {
  readonly share: number;
  readonly n: number;
  readonly level: number;
  readonly width: number;
  readonly plain: Limits;
}

/**
 * Symmetric on the scale of {@link scaleOf} by the delta method, with Student's t. An estimate at the bound of a finite
 * range, or without spread, gets Wilson's interval for the {@link effectiveUnits}.
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
  { estimate, se, df, widened }: LimitInput,
): Pick<Interval, 'lower' | 'upper' | 'standardError' | 'df' | 'note' | 'reason'> {
  const [low, high] = metric.range;
  const width = high - low;
  const finite = Number.isFinite(width);
  const rounding = ROUNDING * (finite ? width : Math.abs(estimate));
  if (estimate - low > rounding && high - estimate > rounding && !(se <= rounding)) {
    const scale = scaleOf(metric.range);
    const half = studentTQuantile((1 + level) / 2, df) * se * scale.slope(estimate);
    const centre = scale.to(estimate);
    const [lower, upper] = [scale.back(centre - half), scale.back(centre + half)];
    if (Number.isFinite(lower) && Number.isFinite(upper)) return { lower, upper, standardError: se, df };
    return { lower: null, upper: null, reason: 'its limits are beyond the largest number' };
  }
  if (!finite) return { lower: null, upper: null, reason: `the estimate, ${formatNumber(estimate)}, has no spread` };
  const n = effectiveUnits(metric, joinTables(blocks.map(({ table }) => table)), allUnits(blocks));
  const share = (estimate - low) / width;
  const plain = wilson(share, n, level);
  const [lower, upper] = widened?.({ share, n, level, width, plain }) ?? plain;
  return {
    lower: Math.min(estimate, low + lower * width),
    upper: Math.max(estimate, low + upper * width),
    note: `The estimate is at the end of its range or does not vary: Wilson's limits from ${worth(n, unit)}.`,
  };
}

const worth = (n: number, unit: string) =>
  Math.abs(n - Math.round(n)) < 1e-9
    ? counted(Math.round(n), unit)
    : `${unit}s of unequal weight that are worth ${n.toFixed(1)} equal ones`;

export interface Scale {
  to(value: number): number;
  back(transformed: number): number;
  /** Derivative of `to`, for the delta method. */
  slope(value: number): number;
}

/**
 * A finite range takes the logit of the position within it, which on [-1, 1] is twice Fisher's z. One finite end takes
 * the log of the distance from it.
 */
export function scaleOf([low, high]: readonly [number, number]): Scale {
  if (Number.isFinite(low) && Number.isFinite(high)) {
    return {
      to: (value) => Math.log((value - low) / (high - value)),
      back: (u) => (u < 0 ? low + (high - low) / (1 + Math.exp(-u)) : high - (high - low) / (1 + Math.exp(u))),
      slope: (value) => (high - low) / ((value - low) * (high - value)),
    };
  }
  if (Number.isFinite(low)) {
    return {
      to: (value) => Math.log(value - low),
      back: (u) => low + Math.exp(u),
      slope: (value) => 1 / (value - low),
    };
  }
  if (Number.isFinite(high)) {
    return {
      to: (value) => -Math.log(high - value),
      back: (u) => high - Math.exp(-u),
      slope: (value) => 1 / (high - value),
    };
  }
  return { to: (value) => value, back: (u) => u, slope: () => 1 };
}
