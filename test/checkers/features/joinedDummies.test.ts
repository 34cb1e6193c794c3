import { expect, it } from 'vitest';
import { joinedDummies } from '../../../src/checkers/features/joinedDummies.js';

it('makes one category of sibling columns, missing where cells are', () => {
  const codes = Array.from({ length: 40 }, (_, row) => row % 4);
  const columns = ['A', 'B', 'C'].map((level, at) => ({
    name: `code_${level}`,
    kind: 'number' as const,
    values: Float64Array.from(codes, (code) => Number(code === at)),
  }));
  columns[2].values[3] = Number.NaN;
  const [{ column, siblings }] = joinedDummies(columns);
  expect(siblings).toEqual(columns);
  expect(column).toMatchObject({
    name: 'code_A',
    kind: 'category',
    levels: ['code_A', 'code_B', 'code_C', 'none of them'],
  });
  expect([...column.values.slice(0, 8)]).toEqual([0, 1, 2, Number.NaN, 0, 1, 2, 3]);
});
