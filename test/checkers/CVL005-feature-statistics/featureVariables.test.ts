import { describe, expect, it } from 'vitest';
import { featureVariables } from '../../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { rowsOf } from '../../../src/data/rows.js';

const n = 120;
const X = Array.from({ length: n }, (_, row) => ({
  age: (row * 7) % 41,
  lab: row % 10 === 3 ? Number.NaN : Math.sin(row),
  stage: ['I', 'II', 'III'][row % 3],
  sex: row % 2 ? 'f' : 'm',
  none: Number.NaN,
  site: row === 5 ? 'rare' : row % 2 ? 'a' : 'b',
}));
const textOf =
  ({ levels = [] }: { readonly levels?: readonly string[] }) =>
  (code: number) =>
    levels[code];
const variablesOf = async (table: object[], rows?: Int32Array) =>
  [...featureVariables(await readFeatures(rowsOf(table as never)), textOf, rows)].map((each) => ({
    ...each,
    values: Array.from(each.values),
  }));

describe('featureVariables', () => {
  it('gives numbers, shares of levels, what is rare together, and what is missing', async () => {
    const variables = await variablesOf(X);
    expect(variables.map(({ name }) => name)).toEqual([
      'age',
      'lab',
      'lab (missing)',
      'stage = I',
      'stage = II',
      'stage = III',
      'sex = m',
      'site = a',
      'site = b',
      'site = rare levels',
    ]);
    const known = variables.find(({ name }) => name === 'lab')?.values.filter((value) => !Number.isNaN(value)) ?? [];
    expect(known).toHaveLength(108);
    expect(variables.find(({ name }) => name === 'lab (missing)')?.values).toEqual(
      X.map(({ lab }) => Number(Number.isNaN(lab))),
    );
    expect(variables.find(({ name }) => name === 'site = rare levels')?.values).toEqual(
      X.map(({ site }) => Number(site === 'rare')),
    );
  });

  it('looks at some rows as if there were no others', async () => {
    const rows = Int32Array.from({ length: 60 }, (_, at) => 2 * at);
    const alone = await variablesOf(Array.from(rows, (row) => X[row]));
    const some = await variablesOf(X, rows);
    for (const { name, values } of alone)
      expect(some.find((each) => each.name === name)?.values ?? name).toEqual(values);
  });
});
