import { describe, expect, it } from 'vitest';
import { trimmed } from '../../src/node/trimmed.js';

describe('trimmed', () => {
  it('gives equal data whose arrays have nothing behind them', () => {
    const long = Float64Array.from({ length: 1000 }, (_, at) => at);
    const own = Int32Array.of(1, 2);
    const shared = new Int32Array(new SharedArrayBuffer(40), 0, 2);
    const value = { table: { yProba: long.subarray(5, 8) }, list: [long.subarray(0, 1), 'a', null], own, shared };
    const found = trimmed(value);
    expect(found).toEqual(value);
    expect(found.table.yProba.buffer.byteLength).toBe(24);
    expect((found.list[0] as Float64Array).buffer.byteLength).toBe(8);
    expect(found.own).toBe(own);
    expect(found.shared).toBe(shared);
  });
});
