import { describe, expect, it } from 'vitest';
import { linkage } from '../../../src/checkers/CVL002-duplicate/linkage.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

const random = randomSource(21);
const whole = (count: number) => Math.floor(count * random.random());
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const link = async (X: unknown[], units?: number[]) =>
  linkage(await readFeatures(rowsOf(X as object[])), units && Int32Array.from(units));

describe('linkage', () => {
  it('tells a copy of a continuous table in one pair, whichever two cells are changed', async () => {
    for (const [a, b] of [
      [0, 1],
      [2, 6],
      [4, 5],
    ]) {
      const X = list(150, () => list(7, () => normal(random)));
      X[149] = [...X[0]];
      X[149][a] += 1;
      X[149][b] = Number.NaN;
      const { pairs, count, codes, power } = await link(X);
      expect(pairs).toEqual([{ first: 0, second: 149, differing: 2 }]);
      expect([count, codes[0], codes[149], codes[1]]).toEqual([1, 0, 0, -1]);
      expect(power).toEqual([1, 1, 1]);
    }
  });

  it('promises exact copies alone where too many rows are alike to compare all that differ in a cell', async () => {
    const row = () => [normal(random), ...list(6, () => whole(2))];
    expect(await link(list(500, row))).toMatchObject({ complete: true, power: { length: 3 } });
    const found = await link(list(8000, row));
    expect(found).toMatchObject({ complete: false, power: { length: 1 } });
  });

  it('weighs a rare value more than many frequent ones', async () => {
    // Sixty flags that few rows have: two rows of none are equal in all of them, and no copies.
    const flags = () => list(60, () => Number(random.random() < 0.005));
    const X = list(300, flags);
    expect((await link(X)).count).toBe(0);
    const measured = X.map((row) => [...row, ...list(8, () => normal(random))]);
    expect((await link(measured)).count).toBe(0);
    measured[299] = [...measured[0]];
    expect((await link(measured)).pairs).toEqual([{ first: 0, second: 299, differing: 0 }]);
  });

  it('takes what follows from another column for no further proof', async () => {
    // A ward of 120, its hospital, its city, and its floor: 300 rows have 374 pairs of one ward by chance.
    const X = list(300, () => {
      const ward = whole(120);
      return {
        ward: `W${ward}`,
        hospital: `H${ward >> 2}`,
        city: `C${ward >> 4}`,
        floor: (7 * ward) % 5,
        sex: whole(2),
      };
    });
    const { count, coincident } = await link(X);
    expect(count).toBe(0);
    expect(coincident.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(150);
  });

  it.each([300, 1000])('takes an index or a risk for no proof, wherever it stands, among %i rows', async (n) => {
    const body = () => [Math.round(170 + 9 * normal(random)), Math.round(75 + 12 * normal(random))];
    const indexFirst = list(n, () => {
      const [height, weight] = body();
      return [weight / height ** 2, Math.sqrt(height * weight), height, weight, whole(2)];
    });
    const risk = list(n, () => {
      const [age, sex, stage] = [Math.round(60 + 12 * normal(random)), whole(2), whole(3)];
      return [age, sex, stage, 1 / (1 + Math.exp(6 - 0.05 * age - 0.4 * sex - 0.3 * stage))];
    });
    for (const X of [indexFirst, risk]) expect((await link(X)).count).toBe(0);
  });

  it('is silent where a trait makes rows alike, at both ends of a scale', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const X = list(300, () => {
        const trait = 2.5 * normal(random);
        return list(12, () => Math.min(4, Math.max(0, Math.round(2 + trait + 0.6 * normal(random)))));
      });
      expect((await link(X)).count).toBe(0);
    }
  });

  it('finds rows that are there many times, and no pattern that many rows have', async () => {
    const rows = list(60, () => list(5, () => normal(random)));
    const many = await link(list(600, (row) => [...rows[row % 60]]));
    expect(many.count).toBe(60);
    const zeros = list(200, (row) => list(10, () => (row % 3 ? 0 : 1 + whole(50))));
    expect((await link(zeros)).count).toBe(0);
  });

  it('leaves rows of one unit alone', async () => {
    const rows = list(40, () => list(6, () => normal(random)));
    const X = list(200, (row) => [...rows[row % 40]]);
    const units = list(200, (row) => row % 40);
    expect((await link(X, units)).count).toBe(0);
    X[199] = [...X[0]];
    expect((await link(X, units)).codes[199]).toBe((await link(X, units)).codes[0]);
  });

  it('does not depend on the order of rows and columns', async () => {
    const X = list(120, () => list(8, (at) => (at < 4 ? normal(random) : whole(4))));
    for (let at = 0; at < 5; at++) X[119 - at] = X[at].map((value, place) => (place === at ? value + 1 : value));
    const { count } = await link(X);
    expect(count).toBe(5);
    const turned = X.map((row) => [...row].reverse()).reverse();
    expect((await link(turned)).pairs.map(({ first, second }) => first + second)).toEqual(new Array(5).fill(119));
  });

  it('survives what is no table to speak of', async () => {
    const odd: unknown[][] = [
      [[1, 2]],
      list(50, () => [1, 2]),
      list(50, () => ({ a: null, b: null })),
      list(50, (row) => ({ a: row % 3 ? `x${row}` : row, b: row % 2 ? true : 'no', c: [1, 2] })),
      list(400, (row) => ({ a: `level ${row}`, b: row % 2 })),
    ];
    for (const X of odd) expect((await link(X)).count).toBe(0);
  });
});
