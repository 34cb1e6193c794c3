/** The first value that was there before; in one walk, as tables of genes have 20,000 columns. */
export function firstTwice<T>(values: Iterable<T>): T | undefined {
  const seen = new Set<T>();
  for (const value of values) if (seen.size === seen.add(value).size) return value;
  return undefined;
}
