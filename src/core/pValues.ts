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
 * @param reaches draws a permutation and says whether its statistic is at least the observed one
 */
export function permutationPValue(
  reaches: () => boolean,
  { alpha, permutations }: { readonly alpha: number; readonly permutations: number },
): PermutationPValue {
  // alpha (B + 1) is meant to be whole, which rounding may miss.
  const enough = Math.max(1, Math.floor(alpha * (permutations + 1) + 1e-9));
  let reached = 0;
  for (let drawn = 1; drawn <= permutations; drawn++) {
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
