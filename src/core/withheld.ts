/** Texts that may hold ids or values of patients, as files that are kept hold them. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * What stands in the place of a text: its keyed hash (HMAC-SHA-256, RFC 2104), which tells whether two texts of one run
 * are the same. The key is random, new for each call, and kept nowhere: without it an id of eight digits is found by trying all.
 */
export function withholder(): (text: string) => string {
  const key = crypto.getRandomValues(new Uint8Array(32));
  return (text) => `withheld, HMAC-SHA-256 ${bytesToHex(hmac(sha256, key, new TextEncoder().encode(text)))}`;
}
