import { sha256 } from '#io';

/** SHA-256 of bytes, or of a text in UTF-8: 64 hexadecimal digits. Source: FIPS 180-4. */
export async function sha256Of(content: Uint8Array | string): Promise<string> {
  const hash = await sha256();
  hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return hash.digest();
}

/** JSON with one spelling for each value: keys sorted by code units, no blanks (RFC 8785, JSON Canonicalization Scheme). */
export function canonicalJSON(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => canonicalJSON(each ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const parts = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${JSON.stringify(key)}:${canonicalJSON(each)}`);
  return `{${parts.join(',')}}`;
}

/**
 * In the place of a text its keyed hash (HMAC-SHA-256, RFC 2104), which tells whether two texts of one run are the same. The key
 * is random and kept nowhere: without it an id of eight digits is found by trying all.
 */
export async function withholder(): Promise<(text: string) => string> {
  const [{ hmac }, { sha256 }, { bytesToHex }] = await Promise.all([
    import('@noble/hashes/hmac.js'),
    import('@noble/hashes/sha2.js'),
    import('@noble/hashes/utils.js'),
  ]);
  const key = crypto.getRandomValues(new Uint8Array(32));
  return (text) => `withheld, HMAC-SHA-256 ${bytesToHex(hmac(sha256, key, new TextEncoder().encode(text)))}`;
}
