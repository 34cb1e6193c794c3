import { describe, expect, it } from 'vitest';
import { linkage } from '../../../src/checkers/CVL002-duplicate/linkage.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

const random = randomSource(21);
const whole = (count: number) => Math.floor(count * random.random());
const list = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at));
const link = async (X: unknown[], units?: number[]) => {
  const found = await linkage(await readFeatures(rowsOf(X as object[])), units && Int32Array.from(units));
  return { ...found, count: Math.max(...found.codes) + 1 };
};

/** Copies, or a pair that chance gives in fewer than one of 1,000 tables: less than that is asked about. */
const isAccused = ({ pairs, expected }: Awaited<ReturnType<typeof link>>) =>
  pairs.length > 1 || (pairs.length === 1 && expected <= 0.001);

describe('linkage', () => {
  it('tells a copy of a continuous table in one pair, whichever two cells are changed', async () => {
    for (const [a, b] of ['01', '26', '45'].map((pair) => Array.from(pair, Number))) {
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

  it.each([10, 30, 60, 100])('finds two exports of one table with a column of their own: %i of 100 rows', async (k) => {
    for (const p of [3, 4, 6]) {
      const rows = list(100, () => list(p, () => normal(random)));
      const X = [...rows.map((row) => [...row, 'A']), ...rows.slice(0, k).map((row) => [...row, 'B'])];
      const { pairs, count } = await link(X);
      expect([pairs.length, count]).toEqual([k, k]);
    }
  });

  it.each([0, 30, 100])('tells copies where a block of columns is missing together in %i of 320 rows', async (gaps) => {
    // Ten values of one panel with all their decimals, which some patients were not sent to: what these lack makes no copies.
    const source = randomSource(5);
    const few = (count: number) => Math.floor(count * source.random());
    const X = list(320, (row) => [
      ...[few(2), few(2)],
      ...list(3, () => Math.round(10 + 3 * normal(source))),
      ...list(10, () => (row < gaps || source.random() < 0.05 ? Number.NaN : normal(source))),
    ]);
    expect((await link(X)).count).toBe(0);
    const { pairs, count } = await link([...X, ...X.slice(300)]);
    expect([pairs.length, count]).toEqual([20, 20]);
  });

  it.each([
    [100, 5, 100],
    [200, 10, 200],
    [0, 10, 100],
  ])('finds rows that were drawn again and again: beside %i rows, %i drawn to %i', async (others, few, drawn) => {
    const [majority, minority] = [others, few].map((count) => list(count, () => list(5, () => normal(random))));
    const again = list(drawn, (at) => [...minority[at < few ? at : whole(few)]]);
    const { codes, count } = await link([...majority, ...again]);
    expect([count, codes.filter((code) => code >= 0).length]).toEqual([few, drawn]);
    // Zeros that many rows hold, and an end of the scale, are no content: nobody copied these rows.
    const floor = list(100, () => list(5, () => Math.max(-1, normal(random))));
    const zeros = list(40, () => list(5, () => -1));
    expect((await link([...floor, ...zeros])).count).toBe(0);
  });

  /** Laboratory values with one or two decimals. */
  const laboratory = () =>
    [4 + 0.3 * normal(random), 1 + 0.3 * normal(random), 9 + 2 * normal(random)]
      .concat(30 + 6 * normal(random))
      .map((value, at) => Number(value.toFixed(at < 2 ? 2 : 1)));

  it.each([100, 300])(
    'finds rounded values that were drawn again and again, and no zeros of many: %i rows',
    async (n) => {
      const few = list(n / 20, laboratory);
      const again = list(n / 2, (at) => [...few[at < few.length ? at : whole(few.length)]]);
      const { codes } = await link([...list(n / 2, laboratory), ...again]);
      expect(codes.filter((code) => code >= 0).length).toBe(n / 2);
      // Most rows have nothing of what was counted, and steps of a half between.
      const counts = list(n, () => list(4, () => (random.random() < 0.75 ? 0 : (1 + whole(12)) / 2)));
      expect((await link(counts)).count).toBe(0);
      // Half of the rows were never measured: their cells stand at the limit of detection.
      const limit = list(n, () => (random.random() < 0.5 ? laboratory() : [0.25, 0.05, 0.5, 0.5]));
      expect((await link(limit)).count).toBe(0);
    },
  );

  it.each([3, 6, 9])('finds a second export, rounded or with missing cells, of %i rows alone', async (count) => {
    const exports = (rows: (number | null)[][]) =>
      [...rows, ...rows.slice(0, count)].map((row, at) => [...row, at < rows.length ? 'A' : 'B']);
    const rounded = list(100 - count, laboratory);
    const fine = list(100 - count, (row) => list(4, (at) => (row === 90 - at ? null : normal(random))));
    for (const X of [exports(rounded), exports(fine)]) {
      const { codes, pairs } = await link(X);
      expect(pairs).toHaveLength(count);
      expect(codes.slice(0, count).every((code) => code >= 0)).toBe(true);
    }
  });

  it('finds whole rows that were drawn again and again among codes of many levels', async () => {
    const row = () => [`D${whole(60)}`, `P${whole(40)}`, 18 + whole(70), whole(30)];
    const few = list(10, row);
    const { codes } = await link([...list(150, row), ...list(80, () => [...few[whole(10)]])]);
    expect(codes.slice(150).filter((code) => code >= 0).length).toBeGreaterThan(60);
    expect(codes.slice(0, 150).filter((code) => code >= 0).length).toBe(0);
  });

  it('says the same in another unit', async () => {
    const few = list(20, laboratory);
    const X = list(100, () => [...few[whole(20)]]);
    const found = await Promise.all(
      [X, X.map((row) => row.map((value) => Math.round(100 * value)))].map((each) => link(each)),
    );
    expect(found[0].count).toBeGreaterThan(10);
    expect(found[1].codes).toEqual(found[0].codes);
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
    const wards = list(300, () => whole(120));
    const X = wards.map((at) => [`W${at}`, `H${at >> 2}`, `C${at >> 4}`, (7 * at) % 5, whole(2)]);
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

  it('is silent in short questionnaires, of which few rows are at the ceiling', { tags: 'slow' }, async () => {
    // PHQ-9. A single pair that chance gives more often than in one of 1,000 tables is asked about, as 333322333 and 333323323.
    let accused = 0;
    for (let turn = 0; turn < 240; turn++) {
      const X = list(turn % 2 ? 120 : 60, () => {
        const trait = normal(random) - 0.6;
        return list(9, (at) =>
          Math.min(3, Math.max(0, Math.round(0.9 + 0.9 * trait + 0.7 * normal(random) - 0.08 * at))),
        );
      });
      if (isAccused(await link(X))) accused++;
    }
    expect(accused).toBeLessThanOrEqual(2);
  });

  it('says the same of answers as numbers, as text and as dummies', async () => {
    const answers = list(150, () => {
      const trait = normal(random);
      return list(24, () => Math.min(4, Math.max(0, Math.round(2 + trait + normal(random)))));
    });
    for (let at = 0; at < 3; at++)
      answers[149 - at] = answers[at].map((item, place) => (place === 5 ? (item + 1) % 5 : item));
    const text = answers.map((row) => row.map((item) => `answer ${item}`));
    const dummies = answers.map((row) => row.flatMap((item) => list(5, (level) => Number(level === item))));
    const found = await Promise.all([answers, text, dummies].map((X) => link(X)));
    const pairs = found.map((each) => each.pairs.map(({ first, second }) => `${first} ${second}`).sort());
    expect(pairs).toEqual(new Array(3).fill(['0 149', '1 148', '2 147']));
    expect(found[2].power[0]).toBeCloseTo(found[0].power[0], 10);
  });

  it('is silent where subscales of two traits are at their ceiling', async () => {
    // Eight subscales as of the SF-36. A single pair that chance gives more often than in one of 1,000 tables is asked about.
    const steps = [20, 4, 10, 20, 20, 8, 3, 25];
    let accused = 0;
    for (let turn = 0; turn < 100; turn++) {
      const X = list(turn % 2 ? 120 : 60, () => {
        const [body, mind] = [normal(random), normal(random)];
        return steps.map((count, at) => {
          const trait = at < 4 ? 0.8 * body + 0.3 * mind : 0.3 * body + 0.8 * mind;
          return Math.min(count, Math.max(0, Math.round(count * (0.65 + 0.3 * (trait + 0.5 * normal(random))))));
        });
      });
      if (isAccused(await link(X))) accused++;
    }
    expect(accused).toBeLessThanOrEqual(3);
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
