import * as tf from '@tensorflow/tfjs';
import { makeVector, Table, tableFromArrays } from 'apache-arrow';
import { table as arqueroTable } from 'arquero';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { rowCount } from '../../src/data/rowKinds.js';
import { type Dense, type NumericArray, type RowsInput, rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';

// The same four patients in every kind of data. Numbers are small integers, so that every typed array can hold them.
const NAMES = ['age', 'sex', 'dose'];
const ROWS = matrix('61 0 3 | 47 1 1 | 72 1 2 | 55 0 4');
const FLAT = ROWS.flat();
const column = (at: number) => ROWS.map((row) => row[at]);
const COLUMNS = Object.fromEntries(NAMES.map((name, at) => [name, column(at)]));
const record = (row: number[]) => Object.fromEntries(NAMES.map((name, at) => [name, row[at]]));

/** Objects with the methods that the libraries have; the libraries themselves are heavy or native. */
const lookAlike = {
  // nodejs-polars 0.x: `columns`, `getColumn(name)` -> Series with `toArray()`; a Proxy in the original.
  polars: () => ({
    columns: [...NAMES],
    shape: { height: ROWS.length, width: NAMES.length },
    getColumn: (name: string) => ({ toArray: () => [...COLUMNS[name]] }),
  }),
  // data-forge 1.x: `getColumnNames()`, `getSeries(name)` -> Series with `toArray()`; it also has a `take`.
  dataForge: () => ({
    getColumnNames: () => [...NAMES],
    getSeries: (name: string) => ({ toArray: () => [...COLUMNS[name]] }),
    take: (n: number) => n,
    count: () => ROWS.length,
  }),
  // danfojs 1.x: `columns`, `values` (rows), `shape`.
  danfo: () => ({ columns: [...NAMES], values: ROWS.map((row) => [...row]), shape: [ROWS.length, NAMES.length] }),
};

const TYPED = [
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
] as const;

const KINDS: [string, string, () => RowsInput][] = [
  ['arrays', 'arrays', () => ROWS.map((row) => [...row])],
  ['typed rows', 'arrays', () => ROWS.map((row) => Float32Array.from(row))],
  ['records', 'records', () => ROWS.map(record)],
  ['a record of columns', 'columns', () => structuredClone(COLUMNS)],
  [
    'a record of typed columns',
    'columns',
    () => Object.fromEntries(NAMES.map((name, at) => [name, Int16Array.from(column(at))])),
  ],
  ...TYPED.map((Typed): [string, string, () => RowsInput] => [
    `dense ${Typed.name}`,
    'dense',
    () => ({ data: Typed.from(FLAT), shape: [4, 3] }),
  ]),
  ['ml-matrix', 'matrix', () => new Matrix(ROWS)],
  ['ml-matrix transposed view', 'matrix', () => new Matrix(NAMES.map((_, at) => column(at))).transpose()],
  ['a tfjs tensor', 'tensor', () => tf.tensor2d(ROWS)],
  ['a tfjs int32 tensor', 'tensor', () => tf.tensor2d(ROWS, [4, 3], 'int32')],
  ['an arquero table', 'frame', () => arqueroTable(structuredClone(COLUMNS))],
  ['an arquero table with a filter', 'frame', () => filteredArquero()],
  ['an Arrow table', 'frame', () => tableFromArrays(structuredClone(COLUMNS))],
  ['an Arrow table of int64', 'frame', () => int64Table()],
  ['polars', 'frame', lookAlike.polars],
  ['data-forge', 'frame', lookAlike.dataForge],
  ['danfo', 'frame', lookAlike.danfo],
  ['a row source', 'source', () => ({ length: 4, take: (rows) => Array.from(rows, (row) => [...ROWS[row]]) })],
  [
    'an asynchronous row source of dense rows',
    'source',
    () => ({
      length: 4,
      take: async (rows: Int32Array) => ({
        data: Float32Array.from(Array.from(rows, (row) => ROWS[row]).flat()),
        shape: [rows.length, 3],
      }),
    }),
  ],
];

function filteredArquero(): object {
  const padded = Object.fromEntries(NAMES.map((name, at) => [name, [...column(at), 0]]));
  return arqueroTable({ ...padded, keep: [1, 1, 1, 1, 0] })
    .filter((row: { keep: number }) => row.keep === 1)
    .select(NAMES);
}

function int64Table(): Table {
  const vectors = NAMES.map((name, at) => [name, makeVector(BigInt64Array.from(column(at), BigInt))]);
  return new Table(Object.fromEntries(vectors));
}

const numbers = ({ data, shape }: Dense) => ({ data: Array.from(data), shape });

describe.each(KINDS)('%s', (_, kind, make) => {
  it('has its length, its kind, and names where it has columns', () => {
    const rows = rowsOf(make());
    expect(rows.length).toBe(4);
    expect(rows.kind).toBe(kind);
    const named = ['records', 'columns', 'frame'].includes(kind);
    expect(rows.featureNames).toEqual(named ? NAMES : undefined);
  });

  it('gives all its numbers', async () => {
    expect(numbers(await rowsOf(make()).toDense())).toEqual({ data: FLAT, shape: [4, 3] });
  });

  it('gives rows as they are: records as records, the rest as arrays', async () => {
    const got = await rowsOf(make()).toArrays();
    const plain = kind === 'records' ? got : got.map((row) => Array.from(row as number[], Number));
    expect(plain).toEqual(kind === 'records' ? ROWS.map(record) : ROWS);
  });

  it('takes rows in any order, also twice, and of what was taken', async () => {
    const taken = rowsOf(make()).take(Int32Array.of(3, 0, 0, 2));
    expect(taken.length).toBe(4);
    expect(numbers(await taken.toDense())).toEqual({ data: [55, 0, 4, 61, 0, 3, 61, 0, 3, 72, 1, 2], shape: [4, 3] });
    const again = taken.take(Int32Array.of(3, 1));
    expect(numbers(await again.toDense())).toEqual({ data: [72, 1, 2, 61, 0, 3], shape: [2, 3] });
    expect((await again.toArrays()).length).toBe(2);
  });

  it('hands out copies: writing to them changes nothing', async () => {
    const X = make();
    const rows = rowsOf(X);
    (await rows.toDense()).data.fill(-1);
    for (const row of (await rows.toArrays()) as number[][]) {
      for (const key of Object.keys(row)) (row as unknown as Record<string, number>)[key] = -1;
    }
    expect(numbers(await rows.toDense()).data).toEqual(FLAT);
    expect(numbers(await rowsOf(X).toDense()).data).toEqual(FLAT);
  });

  it('counts as many rows', () => {
    expect(rowCount(make())).toBe(4);
  });
});

describe('images', () => {
  // Two images of 2 x 3 pixels with one channel.
  const flat = Array.from({ length: 12 }, (_, i) => i);
  const nested = [0, 6].map((at) => [0, 3].map((row) => [0, 1, 2].map((pixel) => [at + row + pixel])));
  const kinds: [string, () => RowsInput][] = [
    ['nested arrays', () => nested],
    [
      'nested typed arrays',
      () => nested.map((image) => image.map((row) => row.map((pixel) => Float32Array.from(pixel)))),
    ],
    ['dense', () => ({ data: Uint8Array.from(flat), shape: [2, 2, 3, 1] })],
    ['a tensor of rank 4', () => tf.tensor4d(flat, [2, 2, 3, 1])],
    ['a source', () => ({ length: 2, take: async (rows) => Array.from(rows, (row) => nested[row]) })],
  ];

  it.each(kinds)('%s keep their shape', async (_, make) => {
    expect(numbers(await rowsOf(make()).toDense())).toEqual({ data: flat, shape: [2, 2, 3, 1] });
    expect(await rowsOf(make()).toArrays()).toEqual(nested);
    const second = rowsOf(make()).take(Int32Array.of(1));
    expect(numbers(await second.toDense())).toEqual({ data: flat.slice(6), shape: [1, 2, 3, 1] });
    expect(await second.toArrays()).toEqual([nested[1]]);
  });
});

describe('a view', () => {
  it('keeps the type of dense data', async () => {
    for (const Typed of TYPED) {
      const data: NumericArray = Typed.from(FLAT);
      expect(
        (
          await rowsOf({ data, shape: [4, 3] })
            .take(Int32Array.of(0))
            .toDense()
        ).data,
      ).toBeInstanceOf(Typed);
    }
  });

  it('take of take is take of the composed indices', async () => {
    const X = Array.from({ length: 12 }, (_, row) => [row, row * 10]);
    const list = fc.array(fc.nat(11), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(list, fc.array(fc.nat(999), { minLength: 1, maxLength: 20 }), async (first, raw) => {
        const second = raw.map((at) => at % first.length);
        const twice = rowsOf(X).take(Int32Array.from(first)).take(Int32Array.from(second));
        expect(await twice.toArrays()).toEqual(second.map((at) => X[first[at]]));
        const once = rowsOf({ data: Float64Array.from(X.flat()), shape: [12, 2] }).take(
          Int32Array.from(second, (at) => first[at]),
        );
        expect(numbers(await twice.toDense())).toEqual(numbers(await once.toDense()));
      }),
    );
  });
});
