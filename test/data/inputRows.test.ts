import * as tf from '@tensorflow/tfjs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../../src/data/joinRows.js';
import { type Dense, type RowsInput, rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';
import { thrown } from '../helpers/thrown.js';

const numbers = ({ data, shape }: Dense) => ({ data: Array.from(data), shape });

describe('several inputs', () => {
  // Three patients: an image of 2 x 2 pixels and an age each; in a row of both, the pixels come first.
  const pixels = Float32Array.from({ length: 12 }, (_, i) => i);
  const ages = [61, 47, 72];
  const images = [0, 4, 8].map((at) => [
    [at, at + 1],
    [at + 2, at + 3],
  ]);
  const both = [0, 1, 2].map((row) => ({ image: images[row], age: [ages[row]] }));
  const kinds: [string, 'inputs' | 'source', () => RowsInput][] = [
    ['dense and a flat column', 'inputs', () => ({ image: { data: pixels, shape: [3, 2, 2] }, age: ages })],
    [
      'a tensor and a typed column',
      'inputs',
      () => ({ image: tf.tensor3d(pixels, [3, 2, 2]), age: Int16Array.from(ages) }),
    ],
    ['nested arrays and rows', 'inputs', () => ({ image: images, age: ages.map((age) => [age]) })],
    ['nested arrays and a record of columns', 'inputs', () => ({ image: images, age: { years: ages } })],
    ['views', 'inputs', () => ({ image: rowsOf(images), age: rowsOf({ age: ages }) })],
    [
      'a source of one of them',
      'source',
      () => ({ image: { length: 3, take: (rows: Int32Array) => Array.from(rows, (row) => images[row]) }, age: ages }),
    ],
    [
      'a source of records of inputs',
      'source',
      () => ({
        length: 3,
        take: async (rows: Int32Array) => ({
          image: {
            data: Float32Array.from(Array.from(rows, (row) => images[row]).flat(2)),
            shape: [rows.length, 2, 2],
          },
          age: Array.from(rows, (row) => ages[row]),
        }),
      }),
    ],
  ];

  it.each(kinds)('%s: each by itself, side by side, and as records', async (_, kind, make) => {
    const rows = rowsOf(make());
    expect([rows.length, rows.kind, rows.featureNames, rows.rowShape]).toEqual([3, kind, undefined, undefined]);
    expect((await rows.toInputs()).map(({ name, ...dense }) => [name, numbers(dense)])).toEqual([
      ['image', { data: Array.from(pixels), shape: [3, 2, 2] }],
      ['age', { data: ages, shape: [3, 1] }],
    ]);
    const flat = [0, 1, 2, 3, 61, 4, 5, 6, 7, 47, 8, 9, 10, 11, 72];
    expect(numbers(await rows.toDense())).toEqual({ data: flat, shape: [3, 5] });
    expect(await rows.toArrays()).toEqual(both);
  });

  it.each(kinds)('%s: take keeps them in step', async (_, __, make) => {
    const taken = rowsOf(make())
      .take(Int32Array.of(2, 0, 1))
      .take(Int32Array.of(1, 0));
    expect(taken.length).toBe(2);
    expect(await taken.toArrays()).toEqual([both[0], both[2]]);
    expect((await taken.toInputs()).map(({ shape }) => shape)).toEqual(matrix('2 2 2 | 2 1'));
    if (taken.parts) {
      expect(Object.keys(taken.parts)).toEqual(['image', 'age']);
      expect(await taken.parts.age.toArrays()).toEqual([[61], [72]]);
    }
  });

  it('a record of flat lists is columns, and one input is a list of one without a name', async () => {
    const columns = rowsOf({ age: ages, dose: [1, 2, 3] });
    expect([columns.kind, columns.parts]).toEqual(['columns', undefined]);
    expect((await columns.toInputs()).map(({ name, shape }) => [name, shape])).toEqual([[undefined, [3, 2]]]);
    const source = rowsOf({ length: 3, take: (rows: Int32Array) => Array.from(rows, (row) => [ages[row]]) });
    expect((await source.toInputs()).map(({ name, shape }) => [name, shape])).toEqual([[undefined, [3, 1]]]);
  });

  it('parts keep their shapes, their names and their types', async () => {
    const { parts } = rowsOf({ image: { data: pixels, shape: [3, 2, 2] }, lab: { age: ages, dose: [1, 2, 3] } });
    expect(parts?.image.rowShape).toEqual([2, 2]);
    expect(parts?.lab.featureNames).toEqual(['age', 'dose']);
    expect((await parts?.image.toDense())?.data).toBeInstanceOf(Float32Array);
  });

  it('the window of a source is told; of several, the narrowest', () => {
    const stream = (window?: number) => ({ length: 3, window, take: () => images });
    expect(rowsOf(stream(2)).take(Int32Array.of(0)).window).toBe(2);
    expect(rowsOf({ a: stream(4), b: stream(3), age: ages }).window).toBe(3);
    expect(rowsOf({ a: stream(), age: ages }).window).toBeUndefined();
  });

  it('the window is that of the rows that are taken', () => {
    const stream = rowsOf({ length: 3, window: 2, take: () => images });
    const rows = rowsOf({ image: joinRows(rowsOf(images), stream), age: [...ages, ...ages] });
    expect(rows.window).toBe(2);
    expect(rows.take(Int32Array.of(0, 2)).window).toBeUndefined();
    expect(rows.take(Int32Array.of(2, 3)).window).toBe(2);
  });

  it('any order of rows, taken twice, is what taking from each would be', async () => {
    const places = fc.array(fc.nat(2), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(places, fc.constantFrom(...kinds), async (order, [, , make]) => {
        const taken = rowsOf(make()).take(Int32Array.from(order));
        expect(await taken.toArrays()).toEqual(order.map((row) => both[row]));
      }),
      { numRuns: 40 },
    );
  });

  it('refuses text in an input where numbers are wanted', async () => {
    const X = { image: [[[1]], [[2]]], sex: ['m', 'f'] };
    expect(await thrown(() => rowsOf(X).toInputs())).toMatch(/\(not_numeric\): .*X\.sex.*row 0.*'sex'/);
    expect(await rowsOf(X).toArrays()).toEqual([
      { image: [[1]], sex: ['m'] },
      { image: [[2]], sex: ['f'] },
    ]);
  });
});
