import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { failure } from '../helpers/failure.js';

describe('records and columns are refused when they are', () => {
  it('ragged records', () => {
    expect(failure(() => rowsOf([{ a: 1, b: 2 }, { a: 1 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (2). Got 1; they differ in 'b'."`,
    );
    expect(failure(() => rowsOf([{ a: 1 }, { a: 1, b: 2 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 2; they differ in 'b'."`,
    );
    expect(failure(() => rowsOf([{ a: 1 }, { b: 1 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 1; they differ in 'a'."`,
    );
    expect(failure(() => rowsOf([{ a: 1 }, [1]]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 0; they differ in 'a'."`,
    );
  });

  it('ragged columns', () => {
    expect(failure(() => rowsOf({ a: [1, 2], b: [1] }))).toMatchInlineSnapshot(
      `"ragged_rows: Column 'b' of X must have 2 values, as column 'a' has. Got 1."`,
    );
    expect(failure(() => rowsOf({ a: [1, 2], b: 1 }))).toMatchInlineSnapshot(
      `"invalid_data: Column 'b' of X must be an array. Got a number above 0."`,
    );
  });
});
