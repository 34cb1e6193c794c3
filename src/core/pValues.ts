import { deviance, incompleteBeta, stirlingError } from './incompleteBeta.js';
import { yieldToPage } from './yieldToPage.js';

export interface PermutationPValue {
  readonly pValue: number;
  readonly permutations: number;
}

/**
 * The p-value of a permutation test that stops as soon as p > `alpha` is certain, with h = floor(alpha (B + 1)) permutations that
 * reach the observed statistic: h / l after l of B permutations; drawn to the end, (b + 1) / (B + 1), where b reach it.
 *
 * Source: Besag & Clifford 1991, Biometrika 78:301, section 2.
 *
 * @param reaches draws a permutation: whether its statistic is at least the observed one
 */
export async function permutationPValue(
  reaches: () => boolean,
  { alpha, permutations }: { readonly alpha: number; readonly permutations: number },
): Promise<PermutationPValue> {
  // alpha (B + 1) is meant to be whole, which rounding may miss.
  const enough = Math.max(1, Math.floor(alpha * (permutations + 1) + 1e-9));
  let reached = 0;
  for (let drawn = 1; drawn <= permutations; drawn++) {
    await yieldToPage();
    if (reaches() && ++reached === enough) return { pValue: reached / drawn, permutations: drawn };
  }
  return { pValue: (reached + 1) / (permutations + 1), permutations };
}

/**
 * p-values corrected so that they bound the share of false findings. Null stays null and does not count.
 *
 * Source: Benjamini & Hochberg 1995, JRSS B 57:289.
 */
export function falseDiscovery(pValues: readonly (number | null)[]): (number | null)[] {
  const known = pValues.flatMap((p, at) => (p === null ? [] : [{ p, at }])).sort((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  // Never larger than that of a larger p-value.
  known.reduceRight((most, { p, at }, rank) => {
    const value = Math.min(most, (known.length / (rank + 1)) * p);
    adjusted[at] = value;
    return value;
  }, 1);
  return adjusted;
}

/** Probability that an F variable is at least `f` >= 0; NaN for NaN. `above`, `below`: degrees of freedom > 0. */
export function fUpperTail(f: number, above: number, below: number): number {
  if (Number.isNaN(f)) return f;
  const odds = (above * f) / below;
  return incompleteBeta(1 / (1 + odds), below / 2, above / 2, odds / (1 + odds));
}

/**
 * Probability that a chi-squared variable is at least `x` >= 0; NaN for NaN. The regularised upper incomplete gamma function
 * Q(df / 2, x / 2), by its series below the mean and by Lentz's continued fraction above it (DLMF 8.11.4 and 8.9.2).
 */
export function chiSquaredUpperTail(x: number, df: number): number {
  if (Number.isNaN(x)) return x;
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  const [a, z] = [df / 2, x / 2];
  // z^a exp(-z) / Gamma(a), by Loader's saddle point: see incompleteBeta.
  const mass = Math.sqrt(a / (2 * Math.PI)) * Math.exp(-stirlingError(a) - deviance(a, z));
  if (mass === 0) return z < a ? 1 : 0;
  return z < a + 1 ? 1 - mass * lowerSeries(z, a) : mass * upperFraction(z, a);
}

/** P(a, z) over its mass. */
function lowerSeries(z: number, a: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= z / (a + k);
    sum += term;
  }
  return sum;
}

/** Q(a, z) over its mass. */
function upperFraction(z: number, a: number): number {
  let bottom = z + 1 - a;
  let numerator = Number.MAX_VALUE;
  let inverse = 1 / bottom;
  let value = inverse;
  for (let k = 1; k < 100_000; k++) {
    const top = -k * (k - a);
    bottom += 2;
    inverse = 1 / (bottom + top * inverse);
    numerator = bottom + top / numerator;
    const factor = numerator * inverse;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}
