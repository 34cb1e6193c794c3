import { describe, expect, it } from 'vitest';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { LPOCV } from '../../../src/splitters/iid/lpocv.js';

describe('LPOCV', () => {
  it('tests every set of p rows, in lexicographic order', () => {
    const folds = [...new LPOCV({ p: 2 }).split(4)];
    expect(folds.map(({ test }) => [...test].join(''))).toEqual(['01', '02', '03', '12', '13', '23']);
    expect(folds[1]).toEqual({ id: 'fold-1', train: Int32Array.of(1, 3), test: Int32Array.of(0, 2) });
    expect(LPOCV.facts.aliases).toEqual(['LeavePOut']);
  });

  it('is LOOCV with p = 1, and then a partition', () => {
    expect([...new LPOCV({ p: 1 }).split(7)]).toEqual([...new LOOCV().split(7)]);
    expect(new LPOCV({ p: 1 }).claims).toMatchObject({ partition: true });
    expect(new LPOCV({ p: 2 }).claims).toMatchObject({ partition: false });
  });

  it('makes folds when they are asked for, and counts far more than it could make', () => {
    const splitter = new LPOCV({ p: 3 });
    const [, second] = splitter.split(50_000);
    expect([...second.test]).toEqual([0, 1, 3]);
    // by hand: 50000 * 49999 * 49998 / 6
    expect(splitter.getNSplits(50_000)).toBe(20_832_083_350_000);
    // math.comb of Python 3.11, exact up to the largest safe integer; comb(57, 28) is above 2^53
    expect(new LPOCV({ p: 27 }).getNSplits(54)).toBe(1946939425648112);
    expect(new LPOCV({ p: 28 }).getNSplits(56)).toBe(7648690600760440);
    for (const [p, n] of [
      [28, 57],
      [500_000, 1_000_000],
    ]) {
      expect(() => new LPOCV({ p }).getNSplits(n)).toThrow('must give fewer than 2^53 folds');
    }
    expect(new LPOCV({ p: 999_999 }).getNSplits(1_000_000)).toBe(1_000_000);
  });
});
