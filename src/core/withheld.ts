/** Texts that may hold ids or values of patients, as files that are kept hold them. */

/**
 * What stands in the place of a text: its keyed hash (HMAC-SHA-256, RFC 2104), which tells whether two texts of one run
 * are the same. The key is random, new for each call, and kept nowhere: without it an id of eight digits is found by trying all.
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
