import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fingerprint, Hasher } from '../../src/core/fingerprint.js';
import reference from '../reference/random.json' with { type: 'json' };

const digest = (feed: (hasher: Hasher) => void) => {
  const hasher = new Hasher();
  feed(hasher);
  return hasher.digest();
};

describe('Hasher', () => {
  // Expected digests: test/reference/random_streams.py, whose function is checked there against mmh3 on whole blocks.
  it.each(reference.hashes)('equals MurmurHash3 x86_128 over $words.length words', ({ words, digest: expected }) => {
    expect(
      digest((hasher) => {
        for (const word of words) hasher.word(word);
      }),
    ).toBe(expected);
  });

  it('counts lengths, so that the same words cut elsewhere differ', () => {
    const cut = (...parts: number[][]) =>
      digest((hasher) => {
        for (const part of parts) hasher.words(Int32Array.from(part));
      });
    expect(cut([1, 2], [3])).not.toBe(cut([1], [2, 3]));
    expect(cut([])).not.toBe(cut([], []));
  });

  it('reads doubles by their bits, with one zero and one NaN', () => {
    const of = (...values: number[]) => digest((hasher) => hasher.doubles(values));
    const oddNaN = new Float64Array(new Uint32Array([0x12345678, 0x7ff80001]).buffer);
    expect(of(-0)).toBe(of(0));
    expect(digest((hasher) => hasher.doubles(oddNaN))).toBe(of(Number.NaN));
    expect(of(0.1 + 0.2)).not.toBe(of(0.3));
    expect(of(1, 2)).not.toBe(of(2, 1));
  });

  it('reads text by its code units and its length', () => {
    const of = (...texts: string[]) =>
      digest((hasher) => {
        for (const text of texts) hasher.text(text);
      });
    expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
    expect(of('Müller')).not.toBe(of('Muller'));
    expect(of('x')).toBe(of('x'));
  });
});

describe('fingerprint', () => {
  const folds = [
    { train: [2, 3, 4], test: [0, 1] },
    { train: [0, 1], test: [2, 3, 4] },
  ];

  it('is 32 hexadecimal digits, the same for the same indices in any container', () => {
    expect(fingerprint(folds)).toMatch(/^[0-9a-f]{32}$/);
    const typed = folds.map(({ train, test }) => ({ train: Int32Array.from(train), test: Float64Array.from(test) }));
    expect(fingerprint(typed)).toBe(fingerprint(folds));
  });

  it('does not depend on ids and repeats', () => {
    const named = folds.map((fold, i) => ({ ...fold, id: `f${i}`, repeat: i }));
    expect(fingerprint(named)).toBe(fingerprint(folds));
  });

  it('changes with one moved row, a swapped side and the order of the folds', () => {
    const others = [
      [{ train: [2, 3], test: [0, 1, 4] }, folds[1]],
      [{ train: folds[0].test, test: folds[0].train }, folds[1]],
      [folds[1], folds[0]],
      [folds[0]],
    ];
    const hashes = [folds, ...others].map(fingerprint);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('tells apart any two different lists of indices', () => {
    const list = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 });
    const fold = fc.record({ train: list, test: list });
    fc.assert(
      fc.property(fold, fold, (a, b) => {
        expect(fingerprint([a]) === fingerprint([b])).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { numRuns: 2000 },
    );
  });
});
