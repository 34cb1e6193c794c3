import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedRank } from '../../../src/tuning/pruners/wilcoxonPruner.js';
import { anyValue } from '../../helpers/pruning.js';
import reference from '../../reference/pruners.json' with { type: 'json' };

describe('signedRank', () => {
  it('equals scipy with and without ties and zeros, exact and approximate', () => {
    expect(reference.signedRank.length).toBeGreaterThan(30);
    for (const { differences, greater, less } of reference.signedRank) {
      expect(Math.abs(signedRank(Float64Array.from(differences)) - greater)).toBeLessThan(1e-10);
      expect(Math.abs(signedRank(Float64Array.from(differences, (each) => -each)) - less)).toBeLessThan(1e-10);
    }
  });

  it('is at least 1 / 2^n, where all differences are above 0', () => {
    for (let n = 1; n <= 13; n++) {
      expect(signedRank(Float64Array.from({ length: n }, (_, at) => at + 1))).toBe(0.5 ** n);
      expect(signedRank(new Float64Array(n).fill(0.25))).toBe(0.5 ** n);
      expect(signedRank(new Float64Array(n))).toBe(1);
    }
  });

  it('counts what listing all signs counts', () => {
    const ranksOf = (sizes: number[]) =>
      sizes.map((own) => {
        const below = sizes.filter((each) => each < own).length;
        return below + (sizes.filter((each) => each === own).length + 1) / 2;
      });
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 9 }), (values) => {
        const ranks = ranksOf(values.map(Math.abs));
        const statistic = (signs: number) =>
          ranks.reduce((total, rank, at) => {
            if (values[at] === 0) return total + rank / 2;
            return (signs >> at) & 1 ? total + rank : total;
          }, 0);
        const observed = statistic(values.reduce((bits, value, at) => bits | (value > 0 ? 1 << at : 0), 0));
        const all = Array.from({ length: 1 << values.length }, (_, signs) => statistic(signs));
        const share = all.filter((each) => each >= observed).length / all.length;
        expect(signedRank(Float64Array.from(values))).toBeCloseTo(share, 12);
      }),
    );
  });

  it('does not depend on the order, and leaves its input as it is', () => {
    const given = Float64Array.from([3, -1, 2, 0, -2]);
    expect(signedRank(given.slice().reverse())).toBe(signedRank(given));
    expect([...given]).toEqual([3, -1, 2, 0, -2]);
  });
});
