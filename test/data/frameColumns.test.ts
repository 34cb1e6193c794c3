import { Int64, Table, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { frameColumns, listOfColumn } from '../../src/data/lists.js';
import { type Dense, rowsOf } from '../../src/data/rows.js';
import { failure } from '../helpers/failure.js';

const numbers = ({ data, shape }: Dense) => ({ data: Array.from(data), shape });

describe('frameColumns', () => {
  // The frames of every library are read in rows.test.ts.
  it('is undefined for what is no data frame', () => {
    for (const other of [null, 'text', 5, [[1]], { a: [1] }, { columns: ['a'] }]) {
      expect(frameColumns(other)).toBe(undefined);
    }
  });

  it('Arrow nulls are NaN, in float and in int64 columns', async () => {
    const X = new Table({
      age: vectorFromArray([61, null, 72]),
      count: vectorFromArray([1n, null, 3n], new Int64()),
    });
    expect(numbers(await rowsOf(X).toDense()).data).toEqual([61, 1, Number.NaN, Number.NaN, 72, 3]);
  });
});

describe('listOfColumn', () => {
  it('reads what can be indexed, asked, or made an array', () => {
    const asked = { length: 2, get: (i: number) => [7n, null][i] };
    expect(Array.from(listOfColumn(asked))).toEqual([7n, null]);
    expect(listOfColumn({ toArray: () => [1, 2] })).toEqual([1, 2]);
    expect(listOfColumn({ values: [1, 2] })).toEqual([1, 2]);
  });

  it('refuses anything else', () => {
    expect(failure(() => listOfColumn({ size: 2 }))).toMatch(/^invalid_data: .*an object with the keys size/);
  });
});
