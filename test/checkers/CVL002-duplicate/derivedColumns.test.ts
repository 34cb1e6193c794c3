import { describe, expect, it } from 'vitest';
import { independentColumns, undeterminedColumns } from '../../../src/checkers/CVL002-duplicate/derivedColumns.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { normal } from '../CVL003-near-duplicate/normal.js';

const draws = randomSource(21);
const kept = async (n: number, rowOf: () => Record<string, unknown>) => {
  const { columns } = await readFeatures(rowsOf(Array.from({ length: n }, rowOf)));
  return independentColumns(columns).map(({ name }) => name);
};
const whole = (mean: number, sd: number) => Math.round(mean + sd * normal(draws));

describe('independentColumns', () => {
  it('leaves out sums, differences and means, rounded or not', async () => {
    const pressures = () => {
      const [s, d] = [whole(130, 16), whole(80, 9)];
      return { s, d, pulse: s - d, mean: Math.round(d + (s - d) / 3), exact: d + (s - d) / 3 };
    };
    expect(await kept(200, pressures)).toEqual(['s', 'd']);
    const items = () => {
      const [a, b, c] = [whole(1.5, 0.8), whole(1.5, 0.8), whole(1.5, 0.8)];
      return { total: a + b + c, a, b, c };
    };
    expect(await kept(200, items)).toEqual(['total', 'a', 'b']);
  });

  it('leaves out products of powers, and monotone functions', async () => {
    const body = () => {
      const [h, w] = [whole(170, 9), whole(75, 12)];
      return { h, w, index: Math.round((1e5 * w) / h / h) / 10, age: h * 2 - 300, log: Math.log(w), falling: 1 / h };
    };
    expect(await kept(200, body)).toEqual(['h', 'w']);
  });

  it('leaves out products of factors that were rounded before or after, and those that are 0 where a factor is', async () => {
    const tenth = (value: number) => Math.round(10 * value) / 10;
    const rates = () => {
      const [weight, dose, strength] = [whole(75, 14), (1 + Math.floor(12 * draws.random())) / 20, whole(4, 0.5)];
      return { weight, dose, strength, rate: tenth((6 * (dose + 0.001 * normal(draws)) * weight) / strength) };
    };
    expect(await kept(300, rates)).toEqual(['weight', 'dose', 'strength']);
    const smoking = () => {
      const packs = Math.max(0, Math.floor(10 * draws.random()) - 4) / 4;
      const years = packs === 0 ? 0 : 1 + Math.floor(45 * draws.random());
      return { packs, years, packYears: tenth(packs * (years + 0.2 * normal(draws))), free: packs * draws.random() };
    };
    expect(await kept(300, smoking)).toEqual(['packs', 'years', 'free']);
  });

  it('keeps what only goes along: correlated, coarse, yes or no, text', async () => {
    const row = () => {
      const z = normal(draws);
      const age = Math.round(60 + 10 * z);
      return {
        age,
        old: age > 60 ? 1 : 0,
        pressure: Math.round(120 + 10 * z + 3 * normal(draws)),
        sex: z > 0 ? 'f' : 'm',
      };
    };
    expect(await kept(200, row)).toEqual(['age', 'old', 'pressure', 'sex']);
    // A flag, and a count of two values, are constant where they are not 0.
    const flags = () => ({
      age: whole(60, 10),
      height: whole(170, 9),
      diabetes: draws.random() < 0.5 ? 1 : 0,
      nyha: 1 + Math.floor(4 * draws.random()),
      events: draws.random() < 0.5 ? 7 : 0,
    });
    expect(await kept(400, flags)).toEqual(['age', 'height', 'diabetes', 'nyha', 'events']);
  });

  it('does not take copies for a rule: independent columns with equal rows are kept', async () => {
    let at = 0;
    const rows = Array.from({ length: 100 }, () => [whole(50, 15), whole(50, 15), whole(50, 15)]);
    const row = () => {
      const [a, b, c] = rows[at++ % 50];
      return { a, b, c };
    };
    expect(await kept(100, row)).toEqual(['a', 'b', 'c']);
  });

  it('says nothing of few rows, or where values are missing in most', async () => {
    const sum = () => {
      const [a, b] = [whole(5, 2), whole(5, 2)];
      return { a, b, sum: a + b };
    };
    expect(await kept(10, sum)).toEqual(['a', 'b', 'sum']);
    const holes = () => ({ ...sum(), hole: draws.random() < 0.95 ? null : 1 });
    expect(await kept(100, holes)).toEqual(['a', 'b', 'sum', 'hole']);
  });

  it('keeps a table of constants, of which none says anything', async () => {
    expect(await kept(60, () => ({ zero: 0, one: 1 }))).toEqual(['zero', 'one']);
  });
});

describe('undeterminedColumns', () => {
  it('leaves out numbers with all their decimals that follow from coarse ones, and no column that says nothing of them', () => {
    const age = Float64Array.from({ length: 200 }, () => whole(60, 9));
    const columns = Object.entries({
      age,
      risk: age.map((years) => 1 / (1 + Math.exp(-years / 10))),
      level: age.map(() => normal(draws)),
      // The rows that are looked at may have one value alone.
      constant: age.map(() => Math.PI),
    }).map(([name, values]) => ({ name, kind: 'number' as const, values }));
    expect(undeterminedColumns(columns).map(({ name }) => name)).toEqual(['age', 'level', 'constant']);
  });
});
