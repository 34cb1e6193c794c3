import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copiesOrChance } from '../../../src/checkers/CVL002-duplicate/copiesOrChance.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { contentHash } from '../../../src/checkers/features/contentHash.js';
import { equalPairs, equalRows } from '../../../src/checkers/features/equalRows.js';
import { randomSource } from '../../../src/core/random.js';

const columnsOf = (X: number[][]): Column[] =>
  X[0].map((_, at) => ({ name: `${at}`, kind: 'number', values: Float64Array.from(X, (row) => row[at]) }));
const hashOf = (X: number[][]) => contentHash({ n: X.length, columns: columnsOf(X) });

describe('equalRows', () => {
  const cell = fc.constantFrom(0, -0, 1, 2, Number.NaN, 1e300, -1e-300, Infinity);
  const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 40 });

  it('finds what comparing every pair of rows finds', () => {
    fc.assert(
      fc.property(table, (X) => {
        const { codes } = equalRows(hashOf(X));
        const equal = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b)); // 0 === -0
        let pairs = 0;
        for (let i = 0; i < X.length; i++) {
          for (let j = 0; j < i; j++) {
            const same = equal(X[i][0], X[j][0]) && equal(X[i][1], X[j][1]);
            if (same) pairs++;
            expect(codes[i] >= 0 && codes[i] === codes[j]).toBe(same);
          }
        }
        expect(equalPairs(hashOf(X))).toBe(pairs);
      }),
    );
  });

  it('tells rows apart that hold the same values in other columns', () => {
    const { count } = equalRows(
      hashOf([
        [1, 2],
        [2, 1],
        [3, 0],
        [0, 3],
        [1, 1],
        [2, 2],
      ]),
    );
    expect(count).toBe(0);
  });

  it('has no collision among 200,000 different rows', () => {
    // 64 bits: the chance of one is 2e10 / 1.8e19.
    const X = Array.from({ length: 200_000 }, (_, row) => [row >> 9, row & 511]);
    expect(equalRows(hashOf(X)).count).toBe(0);
  });
});

describe('copiesOrChance', () => {
  it('expects as many equal pairs as independent columns give', () => {
    // 1,000 rows of four columns of 8 even levels: 499,500 pairs, each equal with probability 8^-4: 121.9 expected.
    const random = randomSource(1);
    const X = Array.from({ length: 1000 }, () => Array.from({ length: 4 }, () => Math.floor(8 * random.random())));
    const { copies, pairs, expected } = copiesOrChance(columnsOf(X));
    const sd = Math.sqrt(499_500 / 4096);
    expect(copies).toBe(false);
    expect(Math.abs(pairs - 499_500 / 4096)).toBeLessThan(3 * sd);
    // Estimated from about 3,400 pairs that differ in one column.
    expect(Math.abs(expected - 499_500 / 4096)).toBeLessThan(0.1 * (499_500 / 4096));
  });

  it('calls copies what goes far beyond that, and what has no such pairs', () => {
    const random = randomSource(2);
    const coarse = Array.from({ length: 400 }, () => Array.from({ length: 5 }, () => Math.floor(8 * random.random())));
    const fine = coarse.map((row) => row.map(() => random.random()));
    for (const X of [coarse, fine]) {
      expect(copiesOrChance(columnsOf([...X, ...X.slice(0, 40)]))).toMatchObject({ copies: true });
    }
    expect(copiesOrChance(columnsOf([...fine, fine[0]]))).toMatchObject({ copies: true, pairs: 1, expected: 0 });
  });

  it('sees coincidence where rows follow a few patterns, and where columns repeat each other', () => {
    const random = randomSource(3);
    const patterns = Array.from({ length: 600 }, () => {
      const pattern = Math.floor(6 * random.random());
      return Array.from({ length: 12 }, (_, j) =>
        random.random() < 0.85 ? (7 * pattern + 3 * j) % 4 : Math.floor(4 * random.random()),
      );
    });
    expect(copiesOrChance(columnsOf(patterns)).copies).toBe(false);
    const repeated = Array.from({ length: 600 }, () => {
      const [a, b] = [Math.floor(6 * random.random()), Math.floor(9 * random.random())];
      return [a, a, b, b, a + 1, random.random() < 0.2 ? 1 : 0];
    });
    expect(copiesOrChance(columnsOf(repeated)).copies).toBe(false);
  });

  it('does not take features for proof that follow from others', () => {
    // Height in cm (20 values), weight in kg (25): 44,850 pairs / 500 = 90 agree in both, and so in both indices.
    const random = randomSource(4);
    const whole = (count: number) => Math.floor(count * random.random());
    const X = Array.from({ length: 300 }, () => {
      const [height, weight] = [150 + whole(20), 50 + whole(25)];
      return [height, weight, weight / height ** 2, Math.sqrt(height * weight)];
    });
    expect(copiesOrChance(columnsOf(X)).copies).toBe(false);
    // Beside a continuous feature, rows that agree in height and weight mostly differ: equal rows are copies.
    const measured = X.map((row) => [...row, random.random()]);
    expect(copiesOrChance(columnsOf([...measured, ...measured.slice(0, 10)]))).toMatchObject({
      copies: true,
      pairs: 10,
    });
  });

  describe('columns that follow from others', () => {
    const random = randomSource(5);
    const whole = (count: number) => Math.floor(count * random.random());
    const ward = () => {
      const hospital = whole(60);
      return [hospital, 2 * hospital + whole(2)];
    };
    const risk = (age: number, sex: number, ill: number) => 1 / (1 + Math.exp(4 - 0.05 * age - 0.3 * sex - 0.8 * ill));
    const scored = (rounded: (value: number) => number) => () => {
      const [age, sex, ill] = [20 + whole(60), whole(2), whole(2)];
      return [age, sex, ill, rounded(risk(age, sex, ill))];
    };
    const tables = {
      // Pairs that agree by chance: n (n - 1) / 2 over the number of rows that there may be, 120 x 10 x 2 or 60 x 2 x 2.
      'a hospital and its ward': [800, 2400, () => [...ward(), whole(10), whole(2)]],
      'a risk of three': [1500, 240, scored((value) => value)],
      'a risk in per cent': [1500, 240, scored((value) => Math.round(100 * value))],
    } as const;

    it.each(Object.entries(tables))('are no further proof: %s', (_, [n, kinds, row]) => {
      const X = Array.from({ length: n }, () => [...row()]);
      const { copies, pairs, expected } = copiesOrChance(columnsOf(X));
      const chance = (n * (n - 1)) / 2 / kinds;
      expect(copies).toBe(false);
      // Pairs that share rows go together: twice the Poisson error is left to them.
      expect(Math.abs(pairs - chance)).toBeLessThan(6 * Math.sqrt(chance));
      expect(Math.abs(expected - chance)).toBeLessThan(0.2 * chance);
    });

    it.each(Object.entries(tables))('leave copies to be found beside what was measured: %s', (_, [n, , row]) => {
      const X = Array.from({ length: n }, () => [...row(), whole(70), whole(90), whole(50)]);
      expect(copiesOrChance(columnsOf([...X, ...X.slice(0, 20)]))).toMatchObject({ copies: true, pairs: 20 });
      expect(copiesOrChance(columnsOf([...X, ...X, ...X]))).toMatchObject({ copies: true });
    });

    it('may all follow from one of few values, and not from one of many', () => {
      const name = (month: number) => [7, 3, 9, 1, 11, 5, 0, 8, 2, 10, 4, 6][month];
      const rows = (count: number, of: (code: number) => number[]) =>
        Array.from({ length: 300 }, () => of(whole(count)));
      expect(copiesOrChance(columnsOf(rows(12, (month) => [month, name(month)]))).copies).toBe(false);
      const measured = Array.from({ length: 12 }, () => [random.random(), random.random()]);
      expect(copiesOrChance(columnsOf(rows(12, (code) => measured[code]))).copies).toBe(true);
    });
  });

  it('does not count pairs within a unit', () => {
    // Every patient's five rows are equal; of different patients none are.
    const X = Array.from({ length: 100 }, (_, row) => [Math.floor(row / 5), Math.sin(Math.floor(row / 5))]);
    const units = Int32Array.from(X, ([unit]) => unit);
    expect(copiesOrChance(columnsOf(X), units).pairs).toBe(0);
    expect(copiesOrChance(columnsOf(X)).pairs).toBe(20 * 10);
  });
});
