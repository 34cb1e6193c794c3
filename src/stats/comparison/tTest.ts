import { incompleteBeta, studentTQuantile } from '../../core/incompleteBeta.js';
import type { Metric } from '../../metrics/metric.js';
import { differenceLimits } from '../pairedDifference.js';
import { type DifferenceTest, NO_TEST } from './answers.js';

type Facts = Pick<DifferenceTest, 'method' | 'estimand' | 'unit' | 'nUnits' | 'nFolds' | 'level'>;

/** Student's t test of a difference of two estimates; null with a reason where the variance is 0 but for rounding. */
export function tTest(
  facts: Facts,
  metric: Pick<Metric, 'range'>,
  { estimate, variance, df }: { readonly estimate: number; readonly variance: number; readonly df: number },
): DifferenceTest {
  const standardError = Math.sqrt(variance);
  if (!(standardError > 1e-12 * Math.max(1, Math.abs(estimate)))) {
    return { ...facts, ...NO_TEST, difference: estimate, reason: `the ${facts.unit}s have the same difference` };
  }
  const t = estimate / standardError;
  const half = studentTQuantile((1 + facts.level) / 2, df) * standardError;
  const limits = differenceLimits(metric, estimate, half);
  return { ...facts, difference: estimate, standardError, df, t, pValue: twoSidedP(t, df), ...limits };
}

/**
 * The probability that a Student t variable is at most t.
 *
 * Source: Abramowitz & Stegun 1964, 26.7.1, by the regularised incomplete beta function.
 */
export function studentTCdf(t: number, df: number): number {
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

export const twoSidedP = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5);
