import { describe, expect, it } from 'vitest';
import { sha256Of } from '../../src/core/sha256Of.js';

// FIPS 180-4: the examples of NIST for SHA-256, and the hash of nothing.
const KNOWN: [text: string, hash: string][] = [
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
];

describe('sha256Of', () => {
  it.each(KNOWN)('is that of NIST: %j', async (text, hash) => {
    expect(await sha256Of(text)).toBe(hash);
    expect(await sha256Of(new TextEncoder().encode(text))).toBe(hash);
  });

  it('takes a text as UTF-8, and bytes as they are', async () => {
    const text = 'µ\u{1f600}';
    expect(await sha256Of(text)).toBe(await sha256Of(Uint8Array.of(0xc2, 0xb5, 0xf0, 0x9f, 0x98, 0x80)));
    expect(await sha256Of(Uint8Array.of(0xb5))).not.toBe(await sha256Of('µ'));
  });
});
