import { hasReason } from '../../core/hasReason.js';
import { joinNotes } from '../../intervals/interval.js';
import { type Value, withoutLimits } from '../../intervals/sample.js';
import type { Undefined } from '../../metrics/metric.js';
import type { RatesAndStandIn } from './rates.js';
import { lrNegative, lrPositive, type Ratio, ratio } from './ratio.js';

/**
 * Predictive values at a given prevalence, by Bayes' theorem from the likelihood ratios: the odds before are multiplied
 * with the ratio. On the logit scale the interval is that of the log ratio, which is Mercaldo's logit interval. The
 * prevalence is taken as known. At 0 and 1 the limit beyond is the bound itself, the other one rests on 0.5 added to all
 * four cells.
 *
 * Source: Mercaldo, Lau & Zhou 2007, Statistics in Medicine 26:2170.
 */
export function predictiveValues(rates: RatesAndStandIn | Undefined, prevalence: number): Record<'ppv' | 'npv', Value> {
  const odds = prevalence / (1 - prevalence);
  const at = (kind: Ratio, unknown: string, ofRatio: (likelihoodRatio: number) => number): Value => {
    const { method: _, estimate, lower, upper, ...said } = ratio(rates, kind);
    const method = 'mercaldo';
    if (hasReason(rates)) return withoutLimits(method, null, rates.reason);
    const [top, bottom] = [kind.top(rates), kind.bottom(rates)];
    if (top === 0 && bottom === 0) return withoutLimits(method, null, unknown);
    const share = ofRatio(top / bottom); // Infinity is welcome here
    if (lower === null) return withoutLimits(method, share, rates.obstacle ?? (said.reason as string));
    const limits = [share, ofRatio(lower), ofRatio(upper ?? Infinity)];
    return {
      method,
      estimate: share,
      lower: Math.min(...limits),
      upper: Math.max(...limits),
      ...joinNotes(`At the given prevalence of ${prevalence}, taken as known.`, said.note),
    };
  };
  return {
    ppv: at(lrPositive, 'no row is predicted positive', (lr) => 1 / (1 + 1 / (odds * lr))),
    npv: at(lrNegative, 'no row is predicted negative', (lr) => 1 / (1 + odds * lr)),
  };
}

/** Correlation of both predictive values at a given prevalence, by the delta method on their logits. */
export function predictiveCorrelation(rates: RatesAndStandIn | Undefined): number {
  if (hasReason(rates)) return 0;
  const used = rates.emptyCell ? rates.corrected : rates;
  const ofPpv = lrPositive.slopes(used);
  const ofNpv = lrNegative.slopes(used).map((slope) => -slope);
  const variance = (a: number, b: number) =>
    used.spread([a * ofPpv[0] + b * ofNpv[0], a * ofPpv[1] + b * ofNpv[1]]).variance;
  const [p, n] = [variance(1, 0), variance(0, 1)];
  return p > 0 && n > 0 ? (variance(1, 1) - p - n) / 2 / Math.sqrt(p * n) : 0;
}
