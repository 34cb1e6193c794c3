import { table as arqueroTable } from 'arquero';
import { describe, expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { type Dense, type RowsInput, rowsOf } from '../../src/data/rows.js';
import { failure, rejection } from '../helpers/failure.js';

const numbers = ({ data, shape }: Dense) => ({ data: Array.from(data), shape });

describe('what is no number', () => {
  it('null and undefined are NaN; booleans and bigints are numbers', async () => {
    const X = [
      [null, true, 3n],
      [undefined, false, 4],
    ];
    expect(numbers(await rowsOf(X).toDense()).data).toEqual([Number.NaN, 1, 3, Number.NaN, 0, 4]);
    expect(await rowsOf(X).toArrays()).toEqual(X);
  });

  it.each<[string, RowsInput]>([
    [
      'arrays',
      [
        [1, 2],
        [3, 'x'],
      ],
    ],
    [
      'records',
      [
        { a: 1, b: 2 },
        { a: 3, b: 'x' },
      ],
    ],
    ['columns', { a: [1, 3], b: [2, 'x'] }],
    ['arquero', arqueroTable({ a: [1, 3], b: ['2', 'x'] })],
    ['Date', [[1, new Date(0)]]],
    ['image', [[[1], ['x']]]],
  ])('text in %s is refused when numbers are wanted, and kept as it is otherwise', async (_, X) => {
    const error = await rowsOf(X)
      .toDense()
      .then(
        () => undefined,
        (thrown: unknown) => thrown as CVKitError,
      );
    expect(error).toBeInstanceOf(CVKitError);
    expect(error?.code).toBe('not_numeric');
    expect((await rowsOf(X).toArrays()).length).toBe(rowsOf(X).length);
  });

  it('text where numbers are wanted', async () => {
    expect(
      await rejection(
        rowsOf([
          [1, 2],
          [3, 'male'],
        ]).toDense(),
      ),
    ).toMatch(/^not_numeric: .*row 1.*column 1/);
    expect(await rejection(rowsOf({ sex: [0, 'f'] }, 'XTest').toDense())).toMatch(
      /^not_numeric: .*XTest.*row 1.*'sex'/,
    );
  });
});

it('refuses ragged records', () => {
  expect(failure(() => rowsOf([{ a: 1 }, { a: 1, b: 2 }]))).toMatch(/^ragged_rows: .*Row 1.*2.*'b'/);
  expect(failure(() => rowsOf([{ a: 1 }, { b: 1 }]))).toMatch(/^ragged_rows: .*Row 1.*1.*'a'/);
  expect(failure(() => rowsOf([{ a: 1 }, [1]]))).toMatch(/^ragged_rows: .*Row 1.*0.*'a'/);
});
