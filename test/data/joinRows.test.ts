import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../../src/data/joinRows.js';
import { rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';
import { thrown } from '../helpers/thrown.js';

const A = matrix('1 2 | 3 4');
const B = matrix('5 6 | 7 8 | 9 10');
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

  describe('of several inputs', () => {
    const image = (n: number, from = 0) => ({
      data: Float32Array.from({ length: 4 * n }, (_, i) => from + i),
      shape: [n, 2, 2],
    });
    const inputs = (n: number, from: number) => ({
      image: image(n, from),
      age: Array.from({ length: n }, (_, i) => from + i),
    });
    const source = (X: ReturnType<typeof inputs>) => ({
      length: X.age.length,
      take: async (rows: Int32Array) => ({
        image: await rowsOf(X.image).take(rows).toDense(),
        age: Array.from(rows, (row) => X.age[row]),
      }),
    });
    const [A2, B3] = [inputs(2, 100), inputs(3, 200)];

    it.each([
      ['in memory', 'inputs', A2, B3],
      ['sources', 'source', source(A2), source(B3)],
      ['a source after memory', 'source', A2, source(B3)],
    ] as const)('joins each: %s', async (_, kind, a, b) => {
      const rows = joinRows(rowsOf(a), rowsOf(b));
      expect(rows.kind).toBe(kind);
      for (const [order, ages, firstPixels] of [
        matrix('3 0 4 | 201 100 202 | 204 100 208'),
        [[1], [101], [104]],
        matrix('2 4 | 200 202 | 200 208'),
      ]) {
        const [read, age] = await rows.take(Int32Array.from(order)).toInputs();
        expect([read.name, age.name, read.shape]).toEqual(['image', 'age', [order.length, 2, 2]]);
        expect(Array.from(age.data)).toEqual(ages);
        expect(order.map((_, i) => read.data[4 * i])).toEqual(firstPixels);
      }
    });

    it('keeps the window of a stream where its rows are taken', () => {
      const test = { ...source(B3), window: 2 };
      const inMemory = joinRows(rowsOf(A2), rowsOf(test));
      expect([[0, 1], [3], [0, 3]].map((rows) => inMemory.take(Int32Array.from(rows)).window)).toEqual([
        undefined,
        2,
        2,
      ]);
      const streams = joinRows(rowsOf({ ...source(A2), window: 8 }), rowsOf(test));
      expect([[0, 1], [3], [0, 3]].map((rows) => streams.take(Int32Array.from(rows)).window)).toEqual([8, 2, 2]);
      const each = { image: { length: 3, window: 2, take: () => B3.image }, age: B3.age };
      const ofParts = joinRows(rowsOf(A2), rowsOf(each));
      expect([[0, 1], [3]].map((rows) => ofParts.take(Int32Array.from(rows)).window)).toEqual([undefined, 2]);
    });

    it('refuses others when reading tells', async () => {
      const late = joinRows(rowsOf(source(A2)), rowsOf({ length: 3, take: () => [[1], [2], [3]] }));
      expect(await thrown(() => late.toDense())).toMatch(/\(invalid_data\): .*\[5\].*\[1\]/);
    });
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
    expect(await rows.toArrays()).toEqual(matrix('1 1 | 9 10'));
    expect(reads).toBe(1);
  });
});
