import { CVKitError, phrase, sentence } from '../core/errors.js';

/** SHA-256 of a text as UTF-8: 64 hexadecimal digits. The same in Node and in browsers. */
export async function sha256(text: string): Promise<string> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) {
    const message = sentence('A checksum', 'be computed by Web Crypto', phrase('a page without it'), 'Use HTTPS.');
    throw new CVKitError(message, { code: 'no_web_crypto' });
  }
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
