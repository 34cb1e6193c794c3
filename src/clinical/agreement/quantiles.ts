/** Quantiles behind limits of agreement. */
import { inverseIncompleteBeta } from '../../intervals/incompleteBeta.js';
import { normalQuantile } from '../../intervals/normalQuantile.js';
import { normalTail } from '../../intervals/normalTail.js';

/** So many degrees of freedom below the line make an F variable a chi-squared one over its own, to 1e-12. */
const MANY = 1e15;

/** The value that a chi-squared variable stays below with probability p, df > 0. */
export function chiSquaredQuantile(p: number, df: number): number {
  const x = inverseIncompleteBeta(p, df / 2, MANY / 2);
  return (x / (1 - x)) * MANY;
}

/**
 * The value that a noncentral t variable (Z + shift) / sqrt(chi2 / df) stays below with probability p, by bisection. Its
 * distribution is the mean of Phi(t s - shift) over s = sqrt(chi2 / df): a trapezoidal sum in log s, whose density falls
 * off so fast on both sides that the sum is exact to rounding.
 *
 * Source: Johnson, Kotz & Balakrishnan 1995, Continuous Univariate Distributions 2, chapter 31.
 *
 * @param p between 0 and 1
 * @param df degrees of freedom, >= 1
 */
export function noncentralTQuantile(p: number, df: number, shift: number): number {
  const reach = Math.sqrt(45 / df); // the log density is below -45 beyond
  const step = 0.1 / Math.sqrt(df);
  const nodes: { readonly s: number; readonly weight: number }[] = [];
  for (let w = -reach - 45 / df; w <= reach; w += step) {
    nodes.push({ s: Math.exp(w), weight: Math.exp(df * (w - Math.expm1(2 * w) / 2)) });
  }
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0);
  const below = (t: number) => nodes.reduce((sum, { s, weight }) => sum + weight * phi(t * s - shift), 0) / total;
  const centre = shift + normalQuantile(p) * Math.sqrt(1 + shift ** 2 / (2 * df));
  let [low, high] = [centre - 1, centre + 1];
  while (below(low) > p) low -= high - low;
  while (below(high) < p) high += high - low;
  for (let i = 0; i < 100 && high - low > 1e-15 * Math.abs(high); i++) {
    const middle = (low + high) / 2;
    if (below(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const phi = (z: number) => normalTail(-z);
