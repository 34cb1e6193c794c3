import { yieldToPage } from './yieldToPage.js';

/** What a sequential permutation test found. */
export interface PermutationPValue {
  readonly pValue: number;
  /** Permutations that were drawn. */
  readonly permutations: number;
}

/**
 * The p-value of a permutation test that stops as soon as p > `alpha` is certain: with h = floor(alpha (B + 1))
 * permutations that reach the observed statistic. Stopped by the l-th of B permutations it is h / l; drawn to the end, of
 * which b reach it, (b + 1) / (B + 1). P(p <= t) is t for every p-value t that there is.
 *
 * Source: Besag & Clifford 1991, Biometrika 78:301, section 2.
 *
 * @param reaches draws a permutation and says whether its statistic is at least the observed one
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
