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
