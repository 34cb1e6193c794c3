import { sha256 } from '#io';

/** SHA-256 of bytes, or of a text in UTF-8: 64 hexadecimal digits. Source: FIPS 180-4. */
export async function sha256Of(content: Uint8Array | string): Promise<string> {
  const hash = await sha256();
  hash.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return hash.digest();
}
