import { describe, expect, it } from 'vitest';
import { encode, encodeIntegers, rowsByCode, rowsPerCode, tally } from '../../src/data/encode.js';

describe('encode', () => {
  it('gives no codes to no values', () => {
    expect(encode([])).toEqual({ classes: [], codes: new Int32Array() });
    expect(encode(new Int32Array())).toEqual({ classes: [], codes: new Int32Array() });
  });

  it('gives codes by ascending value', () => {
    expect(encode(['b', 'a', 'b'])).toEqual({ classes: ['a', 'b'], codes: Int32Array.of(1, 0, 1) });
    expect(encode([2.5, -1, 10])).toEqual({ classes: [-1, 2.5, 10], codes: Int32Array.of(1, 0, 2) });
    expect(encode([true, false])).toEqual({ classes: [false, true], codes: Int32Array.of(1, 0) });
  });
});

describe('encodeIntegers', () => {
  it('serves integers that lie close together, and nothing else', () => {
    expect(encodeIntegers([5, 3, 5])).toEqual({ classes: [3, 5], codes: Int32Array.of(1, 0, 1) });
    expect(encodeIntegers([0.5, 1])).toBeUndefined();
    expect(encodeIntegers([0, 1_000_000])).toBeUndefined();
  });
});

describe('tally', () => {
  it('counts each code', () => {
    expect(tally(Int32Array.of(2, 0, 2), 4)).toEqual(Int32Array.of(1, 0, 2, 0));
  });
});

describe('rowsByCode', () => {
  it('lists rows by ascending code, those of one code in their own order', () => {
    expect(rowsByCode(encode(['c', 'a', 'b', 'a', 'c']))).toEqual(Int32Array.of(1, 3, 2, 0, 4));
  });
});

describe('rowsPerCode', () => {
  it('lists the rows of each code, also of one that no row has', () => {
    const codes = Int32Array.of(2, 0, 2, 3);
    const rows = rowsPerCode(codes, tally(codes, 4));
    expect(rows.map((each) => [...each])).toEqual([[1], [], [0, 2], [3]]);
  });
});
