import { describe, expect, it } from 'vitest';
import { featureVariables } from '../../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import type { FoldUnits } from '../../../src/checkers/shift/foldUnits.js';
import { unitTable } from '../../../src/checkers/shift/unitTable.js';

const units = (codes: number[]): FoldUnits => {
  const count = Math.max(...codes) + 1;
  return { unit: 'patient', codes: Int32Array.from(codes), count, total: count, folds: [], nFolds: 0, lone: false };
};
const twelve = Array.from({ length: 12 }, (_, row) => row);

describe('unitTable', () => {
  it('standardises the means of units, and puts a unit without a value at 0', async () => {
    // Rows 0 and 1 of unit 0 have the mean 1; unit 11 has no value. Units 0 ... 10 have the means 1, 2, ..., 11.
    const codes = [0, ...twelve];
    const values = Float64Array.from([0.5, 1.5, ...twelve.slice(1, 11).map((unit) => unit + 1), Number.NaN]);
    const { data, scales, variables } = await unitTable([{ name: 'age', values }], units(codes));
    expect(variables).toEqual([{ name: 'age' }]);
    // The sum of squares of -5 ... 5 is 110: the sd of the 11 known means, and of all 12 with a 0 for the missing one.
    expect(scales[0]).toBeCloseTo(Math.sqrt(11), 12);
    expect(data[0]).toBeCloseTo(-5 / Math.sqrt(10), 12);
    expect(data[11]).toBe(0);
    expect(data.reduce((sum, value) => sum + value ** 2, 0)).toBeCloseTo(11, 12);
  });

  it('leaves out what is constant or rare, by name', async () => {
    const wide = Array.from({ length: 40 }, (_, row) => row);
    const variable = (name: string, ones: number) => ({
      name,
      values: Float64Array.from(wide, (row) => Number(row < ones)),
    });
    const { variables, rare } = await unitTable(
      [variable('none', 0), variable('nine', 9), variable('ten', 10), variable('most', 31)],
      units(wide),
    );
    expect(variables.map(({ name }) => name)).toEqual(['ten']);
    expect(rare).toEqual(['none', 'nine', 'most']);
  });
});

describe('featureVariables', () => {
  it('makes levels, rare levels and missing cells of a category, and one variable of two levels', () => {
    const codes = Float64Array.from({ length: 100 }, (_, row) => (row === 0 ? Number.NaN : row === 1 ? 2 : row % 2));
    const columns = [
      { name: 'site', kind: 'category', values: codes, levels: ['a', 'b', 'c'] },
      { name: 'sex', kind: 'category', values: codes.map((_, row) => row % 2), levels: ['f', 'm'] },
      { name: 'constant', kind: 'number', values: new Float64Array(100) },
      { name: 'gone', kind: 'number', values: new Float64Array(100).fill(Number.NaN) },
    ] as const;
    const made = [
      ...featureVariables(
        { columns },
        ({ levels = [] }) =>
          (code) =>
            levels[code],
      ),
    ];
    expect(made.map(({ name }) => name)).toEqual([
      'site = a',
      'site = b',
      'site = rare levels',
      'site (missing)',
      'sex = m',
    ]);
    // 98 rows with a and b, of which the even ones from 2 on are a; row 0 is missing in all but the last.
    expect(made.slice(0, 4).map(({ values }) => values.filter((value) => value === 1).length)).toEqual([49, 49, 1, 1]);
    expect(made[0].values[0]).toBeNaN();
  });
});
