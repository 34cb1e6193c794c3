import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/data/rows.js';
import { failure } from '../helpers/failure.js';

describe('records and columns are refused when they are', () => {
  it('ragged records', () => {
    expect(failure(() => rowsOf([{ a: 1 }, { a: 1, b: 2 }]))).toMatch(/^ragged_rows: .*Row 1.*2.*'b'/);
    expect(failure(() => rowsOf([{ a: 1 }, { b: 1 }]))).toMatch(/^ragged_rows: .*Row 1.*1.*'a'/);
    expect(failure(() => rowsOf([{ a: 1 }, [1]]))).toMatch(/^ragged_rows: .*Row 1.*0.*'a'/);
  });
});
