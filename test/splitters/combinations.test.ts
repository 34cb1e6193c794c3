import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomial, combinations } from '../../src/splitters/assignment.js';
import { matrix } from '../helpers/matrix.js';

const subsets = (n: number, k: number) => Array.from(combinations(n, k), (subset) => [...subset]);

describe('combinations', () => {
  it('come in the order of itertools.combinations', () => {
    // its documentation: combinations(range(4), 3) --> 012 013 023 123
    expect(subsets(4, 3)).toEqual(matrix('0 1 2 | 0 1 3 | 0 2 3 | 1 2 3'));
    expect(subsets(3, 1)).toEqual([[0], [1], [2]]);
    expect(subsets(3, 3)).toEqual([[0, 1, 2]]);
    expect(subsets(3, 0)).toEqual([[]]);
    expect(subsets(2, 3)).toEqual([]);
  });

  it('are all subsets, each once, ascending, in lexicographic order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), (n, k) => {
        // every subset of n things is a bit mask; as words of digits they sort lexicographically
        const words = Array.from({ length: 2 ** n }, (_, mask) =>
          Array.from({ length: n }, (_, item) => item)
            .filter((item) => (mask >> item) & 1)
            .join(''),
        );
        const expected = words.filter((word) => word.length === k).sort();
        expect(subsets(n, k).map((subset) => subset.join(''))).toEqual(expected);
        expect(binomial(n, k)).toBe(expected.length);
      }),
    );
  });

  it('are fresh arrays, made when asked for', () => {
    const [first, second] = combinations(1000, 500);
    expect(first).not.toBe(second);
    expect([first[499], second[499]]).toEqual([499, 500]);
  });
});

describe('binomial', () => {
  it('obeys the rule of Pascal wherever it is exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 60 }), (n, k) => {
        const whole = binomial(n, k);
        if (whole === Infinity) return;
        expect(whole).toBe(binomial(n - 1, k - 1) + binomial(n - 1, k));
      }),
    );
  });

  it('is exact up to the largest safe integer and Infinity beyond', () => {
    // math.comb of Python 3.11: comb(54, 27) = 1946939425648112, comb(56, 28) = 7648690600760440,
    // comb(57, 28) = 15033633249770520, which is above 2^53
    expect(binomial(54, 27)).toBe(1946939425648112);
    expect(binomial(56, 28)).toBe(7648690600760440);
    expect(binomial(57, 28)).toBe(Infinity);
    expect(binomial(1_000_000, 500_000)).toBe(Infinity);
    expect(binomial(1_000_000, 999_999)).toBe(1_000_000);
    expect(binomial(5, 6)).toBe(0);
    expect(binomial(5, 0)).toBe(1);
  });
});
