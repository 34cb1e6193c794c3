import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../../src/core/joinRows.js';
import { rowsOf } from '../../src/core/rows.js';

const A = [
  [1, 2],
  [3, 4],
];
const B = [
  [5, 6],
  [7, 8],
  [9, 10],
];
const ALL = [...A, ...B];
const dense = (rows: number[][], Typed: typeof Float32Array | typeof Float64Array = Float32Array) =>
  rowsOf({ data: Typed.from(rows.flat()), shape: [rows.length, 2] });
const joined = () => joinRows(rowsOf(A), rowsOf(B));

describe('joinRows', () => {
  it('is the rows of the first, then those of the second', async () => {
    expect(joined().length).toBe(5);
    expect(await joined().toArrays()).toEqual(ALL);
    const { data, shape } = await joined().toDense();
    expect([Array.from(data), shape]).toEqual([ALL.flat(), [5, 2]]);
  });

  it('takes rows from both sides in any order, also of what was taken', async () => {
    const list = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(list, fc.array(fc.nat(999), { minLength: 1, maxLength: 12 }), async (first, raw) => {
        const second = raw.map((at) => at % first.length);
        const rows = joined().take(Int32Array.from(first)).take(Int32Array.from(second));
        const expected = second.map((at) => ALL[first[at]]);
        expect(rows.length).toBe(expected.length);
        expect(await rows.toArrays()).toEqual(expected);
        const { data, shape } = await rows.toDense();
        expect([Array.from(data), shape]).toEqual([expected.flat(), [expected.length, 2]]);
      }),
    );
  });

  it('keeps the number type when both have the same, else gives doubles', async () => {
    expect((await joinRows(dense(A), dense(B)).toDense()).data).toBeInstanceOf(Float32Array);
    expect((await joinRows(dense(A), dense(B, Float64Array)).toDense()).data).toBeInstanceOf(Float64Array);
    const mixed = joinRows(dense(A), rowsOf(B));
    expect(await mixed.toArrays()).toEqual(ALL);
  });

  it('keeps the names of the columns', () => {
    const named = rowsOf({ age: [61, 47], dose: [1, 2] });
    expect(joinRows(named, named).featureNames).toEqual(['age', 'dose']);
  });

  it('refuses rows of another shape', () => {
    expect(() => joinRows(rowsOf(A), rowsOf([[1, 2, 3]]))).toThrow(
      'The test rows must have the shape of the training rows, [2]. Got [3].',
    );
  });

  it('reads nothing before it is needed', async () => {
    let reads = 0;
    const source = {
      length: 2,
      take: (rows: Int32Array) => {
        reads++;
        return Array.from(rows, (row) => [row, row]);
      },
    };
    const rows = joinRows(rowsOf(source), rowsOf(B)).take(Int32Array.of(1, 4));
    expect(reads).toBe(0);
    expect(await rows.toArrays()).toEqual([
      [1, 1],
      [9, 10],
    ]);
    expect(reads).toBe(1);
  });
});
