/**
 * JSON with one spelling for each value: keys sorted by code units, no blanks, numbers and texts as `JSON.stringify`
 * writes them. What is undefined is left out; NaN and Infinity are null.
 *
 * Source: RFC 8785 (JSON Canonicalization Scheme).
 */
export function canonicalJSON(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJSON(each ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const parts = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJSON(each)}`);
  return `{${parts.join(',')}}`;
}
