/** The first value that was there before; in one walk, as tables of genes have 20,000 columns. */
export function firstTwice<T>(values: Iterable<T>): T | undefined {
  const earlier = new Set<T>();
  for (const value of values) if (earlier.size === earlier.add(value).size) return value;
  return undefined;
}
