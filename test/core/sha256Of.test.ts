import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJSON, sha256Of } from '../../src/core/sha256Of.js';

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

describe('canonicalJSON', () => {
  it('is the example of RFC 8785, section 3.2', () => {
    const value = {
      // biome-ignore lint/correctness/noPrecisionLoss: as the RFC writes it
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    // Section 3.2.3.
    expect(canonicalJSON(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by code units, as section 3.2.3 shows', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const text = canonicalJSON(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(Object.keys(JSON.parse(text).constructor === Object ? JSON.parse(text) : {})).toHaveLength(7);
    const order = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(text).toBe(`{${order.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });

  it('has one spelling, which parsing gives back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJSON(value);
        expect(canonicalJSON(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(canonicalJSON({ b: undefined, a: [undefined, Number.NaN, -0] })).toBe('{"a":[null,null,0]}');
  });
});
