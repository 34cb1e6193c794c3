import { hasReason } from '../../core/hasReason.js';
import { type Value, withoutLimits } from '../../intervals/sample.js';
import type { Undefined } from '../../metrics/metric.js';
import type { Rates, RatesAndStandIn, Slopes } from './rates.js';

/** A ratio made of sensitivity and specificity. */
export interface Ratio {
  readonly method: string;
  readonly top: (rates: Rates) => number;
  readonly bottom: (rates: Rates) => number;
  /** Derivatives of its logarithm. */
  readonly slopes: (rates: Rates) => Slopes;
}

/** The positive likelihood ratio: how much likelier a positive prediction is in a positive row. */
export const lrPositive: Ratio = {
  method: 'log',
  top: ({ sensitivity }) => sensitivity,
  bottom: ({ specificity }) => 1 - specificity,
  slopes: ({ sensitivity, specificity }) => [1 / sensitivity, 1 / (1 - specificity)],
};

/** The negative likelihood ratio: how much likelier a negative prediction is in a positive row. */
export const lrNegative: Ratio = {
  method: 'log',
  top: ({ sensitivity }) => 1 - sensitivity,
  bottom: ({ specificity }) => specificity,
  slopes: ({ sensitivity, specificity }) => [-1 / (1 - sensitivity), -1 / specificity],
};

/** Odds of a positive prediction in a positive row over those in a negative row. */
export const oddsRatio: Ratio = {
  method: 'woolf',
  top: (rates) => lrPositive.top(rates) * lrNegative.bottom(rates),
  bottom: (rates) => lrPositive.bottom(rates) * lrNegative.top(rates),
  slopes: ({ sensitivity: p, specificity: q }) => [1 / (p * (1 - p)), 1 / (q * (1 - q))],
};

/**
 * A ratio with its interval, symmetric on the log scale by the delta method. The estimate is the plain ratio wherever that
 * is finite. Where a cell of the 2 x 2 table is 0, rates of 0 and 1 have no variance: the standard error is that after
 * adding 0.5 to all four cells, with a note. A ratio of 0 has the lower limit 0 and the upper one of the corrected cells.
 * With 0 below the line alone the ratio is unbounded: estimate and upper limit are null, and the lower limit comes from
 * the corrected cells. 0/0 is null.
 *
 * Source: likelihood ratios, Simel, Samsa & Matchar 1991, Journal of Clinical Epidemiology 44:763; odds ratio, Woolf
 * 1955, Annals of Human Genetics 19:251; 0.5, Haldane 1956, Annals of Human Genetics 20:309.
 */
export function ratio(rates: RatesAndStandIn | Undefined, { method, top, bottom, slopes }: Ratio): Value {
  if (hasReason(rates)) return withoutLimits(method, null, rates.reason);
  const [above, below] = [top(rates), bottom(rates)];
  if (below === 0 && above === 0) return withoutLimits(method, null, 'it would be 0/0');
  const unbounded = below === 0 ? 'unbounded, since it divides by 0' : undefined;
  const estimate = unbounded === undefined ? above / below : null;
  if (rates.obstacle !== undefined) return withoutLimits(method, estimate, unbounded ?? rates.obstacle);
  const used = rates.emptyCell ? rates.corrected : rates;
  const { variance, quantile } = used.spread(slopes(used));
  const factor = Math.exp(quantile * Math.sqrt(variance));
  // A plain ratio between 0 and infinity has a logarithm to go up and down from.
  const centre = estimate || top(used) / bottom(used);
  if (!Number.isFinite(centre * factor)) {
    return withoutLimits(method, estimate, unbounded ?? 'its variance rests on too few units');
  }
  return {
    method,
    estimate,
    lower: estimate === 0 ? 0 : centre / factor,
    upper: unbounded === undefined ? centre * factor : null,
    ...(rates.emptyCell ? { note: rates.correction } : {}),
    ...(unbounded === undefined ? {} : { reason: unbounded }),
  };
}
