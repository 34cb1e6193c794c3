import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJSON } from '../../src/core/canonicalJSON.js';

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
