import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitStrata, unitVariance } from '../../src/intervals/unitVariance.js';

describe('unitVariance', () => {
  it('is the variance of a mean when each row is a unit: s^2 / n', () => {
    const values = [3, 5, 8, 1, 4, 9];
    const n = values.length;
    const mean = 5;
    const found = unitVariance(
      values.map((value) => (value - mean) / n),
      [0, 1, 2, 3, 4, 5],
    );
    // s^2 = (4 + 0 + 9 + 16 + 1 + 16) / 5 = 9.2
    expect(found.variance).toBeCloseTo(9.2 / 6, 12);
    expect(found.df).toBeCloseTo(5, 12);
    expect(found.nUnits).toBe(6);
  });

  it('sums within units before it squares', () => {
    // Sums 3 and -3: 2 / 1 * 18 = 36.
    expect(unitVariance([1, 2, -3], [7, 7, 9]).variance).toBeCloseTo(36, 12);
  });

  it('adds strata, with Satterthwaite’s degrees of freedom', () => {
    // Stratum 0: 3 units, squares 1 + 1 + 4 = 6, times 3/2 = 9. Stratum 1: 2 units, squares 8, times 2 = 16.
    const found = unitVariance([1, 1, -2, 2, -2], [0, 1, 2, 3, 4], [0, 0, 0, 1, 1]);
    expect(found.variance).toBeCloseTo(25, 12);
    expect(found.df).toBeCloseTo(25 ** 2 / (9 ** 2 / 2 + 16 ** 2 / 1), 12);
  });

  it('counts units of unequal rows by Kish', () => {
    // Rows 3 and 1 in two units: effective (3 + 1)^2 / (9 + 1) = 1.6, so df .6.
    expect(unitVariance([1, 1, 1, -3], [0, 0, 0, 1]).df).toBeCloseTo(0.6, 12);
  });

  it('lets a lone unit of a stratum count with the largest stratum', () => {
    const alone = unitVariance([1, -1, 2], [0, 1, 2], [0, 0, 1]);
    const together = unitVariance([1, -1, 2], [0, 1, 2]);
    expect(alone).toEqual(together);
  });

  it('does not mind the order of rows or the names of units', () => {
    const row = fc.record({ influence: fc.double({ min: -5, max: 5, noNaN: true }), unit: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 4, maxLength: 30 }), fc.nat(), (rows, turn) => {
        const of = (list: typeof rows, name = (unit: number) => unit) =>
          unitVariance(
            list.map(({ influence }) => influence),
            list.map(({ unit }) => name(unit)),
          );
        const turned = rows.map((_, at) => rows[(at + turn) % rows.length]);
        const [a, b] = [of(rows), of(turned, (unit) => 1000 - 3 * unit)];
        expect(b.variance).toBeCloseTo(a.variance, 8);
        expect(b.nUnits).toBe(a.nUnits);
      }),
    );
  });
});

describe('unitStrata', () => {
  it('has one stratum for every set of classes', () => {
    // Unit 4: class 0. Unit 5: class 1. Unit 6: both. Unit 7: class 1.
    const found = unitStrata([0, 0, 1, 0, 1, 1], [4, 4, 5, 6, 6, 7]);
    expect(found[0]).toBe(found[1]);
    expect(found[2]).toBe(found[5]);
    expect(found[3]).toBe(found[4]);
    expect(new Set(found).size).toBe(3);
  });

  it('numbers the sets as the 0/1 words of their classes are ordered, the smallest class first', () => {
    const row = fc.record({ kind: fc.integer({ min: -2, max: 4 }), unit: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
        const kinds = [...new Set(rows.map(({ kind }) => kind))].sort((a, b) => a - b);
        const word = (unit: number) =>
          kinds.map((kind) => Number(rows.some((each) => each.unit === unit && each.kind === kind))).join('');
        const words = [...new Set(rows.map(({ unit }) => word(unit)))].sort();
        const found = unitStrata(
          rows.map(({ kind }) => kind),
          rows.map(({ unit }) => unit),
        );
        expect([...found]).toEqual(rows.map(({ unit }) => words.indexOf(word(unit))));
      }),
    );
  });

  it('does not look at all rows for each class: 40,000 classes would take half a minute', () => {
    const each = Array.from({ length: 40_000 }, (_, row) => row);
    expect(unitStrata(each, each)[39_999]).toBe(0); // the word of the largest class alone is the first
  });
});
