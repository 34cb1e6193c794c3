import { incompleteBeta } from '../core/incompleteBeta.js';

/**
 * The probability that a Student t variable is at most t.
 *
 * Source: Abramowitz & Stegun 1964, 26.7.1, by the regularised incomplete beta function.
 *
 * @param df degrees of freedom > 0
 */
export function studentTCdf(t: number, df: number): number {
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The probability that a Student t variable is at least as far from 0 as t. */
export const twoSidedP = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5);
