import * as tf from '@tensorflow/tfjs';
import { Int64, makeVector, Table, tableFromArrays, vectorFromArray } from 'apache-arrow';
import { table as arqueroTable } from 'arquero';
import fc from 'fast-check';
import { Matrix } from 'ml-matrix';
import { describe, expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { type Dense, isTensor, type NumericArray, type RowsInput, rowCount, rowsOf } from '../../src/core/rows.js';

// The same four patients in every kind of data. Numbers are small integers, so that every typed array can hold them.
const NAMES = ['age', 'sex', 'dose'];
const ROWS = [
  [61, 0, 3],
  [47, 1, 1],
  [72, 1, 2],
  [55, 0, 4],
];
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

  it('wide rows are taken whole', async () => {
    const wide = { data: Float32Array.from({ length: 300 }, (_, i) => i), shape: [3, 100] };
    const taken = await rowsOf(wide).take(Int32Array.of(2, 0)).toDense();
    expect(taken.data).toBeInstanceOf(Float32Array);
    expect(Array.from(taken.data)).toEqual([...wide.data.slice(200), ...wide.data.slice(0, 100)]);
  });
});

describe('what is no number', () => {
  it('null and undefined are NaN; booleans and bigints are numbers', async () => {
    const X = [
      [null, true, 3n],
      [undefined, false, 4],
    ];
    expect(numbers(await rowsOf(X).toDense()).data).toEqual([Number.NaN, 1, 3, Number.NaN, 0, 4]);
    expect(await rowsOf(X).toArrays()).toEqual(X);
  });

  it('dense 64-bit integers become doubles', async () => {
    const X = { data: BigInt64Array.of(1n, -2n, 3n, 4n), shape: [2, 2] } as unknown as Dense;
    expect(numbers(await rowsOf(X).take(Int32Array.of(1)).toDense()).data).toEqual([3, 4]);
    expect(await rowsOf(X).toArrays()).toEqual([
      [1, -2],
      [3, 4],
    ]);
  });

  it('Arrow nulls are NaN, in float and in int64 columns', async () => {
    const X = new Table({
      age: vectorFromArray([61, null, 72]),
      count: vectorFromArray([1n, null, 3n], new Int64()),
    });
    expect(numbers(await rowsOf(X).toDense()).data).toEqual([61, 1, Number.NaN, Number.NaN, 72, 3]);
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
});

const message = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(CVKitError);
    return `${(error as CVKitError).code}: ${(error as Error).message}`;
  }
  throw new Error('nothing was thrown');
};
const rejection = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => new Error('nothing was thrown'),
    (thrown: unknown) => thrown as CVKitError,
  );
  expect(error).toBeInstanceOf(CVKitError);
  return `${(error as CVKitError).code}: ${(error as Error).message}`;
};

describe('messages (reviewed)', () => {
  it('ragged arrays', () => {
    expect(message(() => rowsOf([[1, 2], [3]]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have 2 values, as row 0 has. Got 1."`,
    );
    expect(message(() => rowsOf([[1, 2], 3]))).toMatchInlineSnapshot(
      `"invalid_data: Row 1 of X must be an array, as row 0 is. Got 3."`,
    );
    expect(message(() => rowsOf([[[1], [2]], [[1]]], 'XTrain'))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of XTrain must have 2 values, as row 0 has. Got 1."`,
    );
    expect(
      message(() =>
        rowsOf([
          [
            [1, 2],
            [3, 4],
          ],
          [[1, 2], [3]],
        ]),
      ),
    ).toMatchInlineSnapshot(`"ragged_rows: Row 1 of X must have 2 values, as row 0 has. Got 1."`);
  });

  it('ragged records', () => {
    expect(message(() => rowsOf([{ a: 1, b: 2 }, { a: 1 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (2). Got 1; they differ in 'b'."`,
    );
    expect(message(() => rowsOf([{ a: 1 }, { a: 1, b: 2 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 2; they differ in 'b'."`,
    );
    expect(message(() => rowsOf([{ a: 1 }, { b: 1 }]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 1; they differ in 'a'."`,
    );
    expect(message(() => rowsOf([{ a: 1 }, [1]]))).toMatchInlineSnapshot(
      `"ragged_rows: Row 1 of X must have the keys of row 0 (1). Got 0; they differ in 'a'."`,
    );
  });

  it('ragged columns', () => {
    expect(message(() => rowsOf({ a: [1, 2], b: [1] }))).toMatchInlineSnapshot(
      `"ragged_rows: Column 'b' of X must have 2 values, as column 'a' has. Got 1."`,
    );
    expect(message(() => rowsOf({ a: [1, 2], b: 1 }))).toMatchInlineSnapshot(
      `"invalid_data: Column 'b' of X must be an array. Got 1."`,
    );
  });

  it('no rows', () => {
    expect(message(() => rowsOf([]))).toMatchInlineSnapshot(`"invalid_data: X must have at least one row. Got none."`);
    expect(message(() => rowsOf({ a: [] }))).toMatchInlineSnapshot(
      `"invalid_data: X must have at least one row. Got none."`,
    );
    expect(message(() => rowsOf({}))).toMatchInlineSnapshot(`"invalid_data: X must have at least one row. Got none."`);
    expect(message(() => rowsOf(new Matrix(0, 3)))).toMatchInlineSnapshot(
      `"invalid_data: X must have at least one row. Got none."`,
    );
    expect(message(() => rowsOf({ length: 0, take: () => [] }))).toMatchInlineSnapshot(
      `"invalid_data: X must have at least one row. Got none."`,
    );
  });

  it('one dimension', () => {
    expect(message(() => rowsOf([1, 2, 3]))).toMatchInlineSnapshot(
      `"invalid_data: X must have two dimensions, rows and columns. Got a flat array of 3 values."`,
    );
    expect(message(() => rowsOf({ data: Float64Array.of(1, 2), shape: [2] }))).toMatchInlineSnapshot(
      `"invalid_data: The shape of X must have two dimensions or more. Got [2]."`,
    );
    expect(message(() => rowsOf(tf.tensor2d(['a', 'b'], [2, 1])))).toMatchInlineSnapshot(
      `"not_numeric: X must be a tensor of numbers. Got dtype string."`,
    );
    expect(message(() => rowsOf(tf.tensor1d([1, 2])))).toMatchInlineSnapshot(
      `"invalid_data: X must be a tensor of rank 2 or more. Got rank 1."`,
    );
  });

  it('a shape that the data do not fill', () => {
    expect(message(() => rowsOf({ data: new Float64Array(5), shape: [2, 3] }))).toMatchInlineSnapshot(
      `"ragged_rows: X must hold 6 values to fill its shape [2, 3]. Got 5."`,
    );
  });

  it('a window that is none', () => {
    for (const window of [0, 1.5, Number.NaN, '8']) {
      expect(message(() => rowsOf({ length: 3, window, take: () => [[1]] }))).toContain('The window of X must be');
    }
    expect(message(() => rowsOf({ length: 3, window: 0, take: () => [[1]] }))).toMatchInlineSnapshot(
      `"invalid_data: The window of X must be an integer >= 1. Got 0."`,
    );
  });

  it('something else', () => {
    for (const other of [5, 'text', null, undefined, new Map(), () => 1]) {
      expect(message(() => rowsOf(other))).toMatch(/^invalid_data: X must be rows \(.*\)\. Got /);
    }
    expect(message(() => rowsOf(new Map()))).toMatchInlineSnapshot(
      `"invalid_data: X must be rows (arrays, records, columns, { data, shape }, a matrix, a tensor, a data frame, a row source, a record of inputs). Got an object of class Map."`,
    );
  });

  it('text where numbers are wanted', async () => {
    expect(
      await rejection(
        rowsOf([
          [1, 2],
          [3, 'male'],
        ]).toDense(),
      ),
    ).toMatchInlineSnapshot(
      `"not_numeric: X row 1 column 1 must be a number. Got 'male'. Encode text and dates as numbers first."`,
    );
    expect(await rejection(rowsOf([{ sex: 'male' }]).toDense())).toMatchInlineSnapshot(
      `"not_numeric: X row 0 column 'sex' must be a number. Got 'male'. Encode text and dates as numbers first."`,
    );
    expect(await rejection(rowsOf({ sex: [0, 'f'] }, 'XTest').toDense())).toMatchInlineSnapshot(
      `"not_numeric: XTest row 1 column 'sex' must be a number. Got 'f'. Encode text and dates as numbers first."`,
    );
  });

  it('a source that throws', async () => {
    const take = () => {
      throw new Error('disk gone');
    };
    expect(await rejection(rowsOf({ length: 2, take }).toDense())).toMatchInlineSnapshot(
      `"source_failed: The row source X must give the rows asked for. It threw: disk gone"`,
    );
  });

  it('a source that gives too little', async () => {
    const lazy = { length: 4, take: () => [[1]] };
    expect(await rejection(rowsOf(lazy).take(Int32Array.of(0, 1)).toDense())).toMatchInlineSnapshot(
      `"invalid_data: The row source X must give 2 rows when asked for as many. Got 1."`,
    );
  });

  it('a count that is none', () => {
    for (const count of [0, -1, 1.5, Number.NaN]) expect(message(() => rowCount(count))).toContain('Got ');
    expect(message(() => rowCount(0))).toMatchInlineSnapshot(
      `"invalid_data: X must be data or a number of rows, an integer from 1 to 2147483647. Got 0."`,
    );
    expect(rowCount(7)).toBe(7);
  });
});

describe('a view', () => {
  it('reads nothing before it is needed', async () => {
    let reads = 0;
    const source = {
      length: 3,
      take: (rows: Int32Array) => {
        reads++;
        return Array.from(rows, (row) => [row]);
      },
    };
    const view = rowsOf(source).take(Int32Array.of(2, 1)).take(Int32Array.of(0));
    expect(reads).toBe(0);
    expect(await view.toArrays()).toEqual([[2]]);
    expect(reads).toBe(1);
  });

  it('disposes the tensors that a row source makes, unless it keeps them', async () => {
    const all = tf.tensor2d(ROWS);
    const kept = tf.keep(tf.tensor2d([ROWS[2]]));
    const before = tf.memory().numTensors;
    const one = rowsOf({ length: 4, take: (rows: Int32Array) => tf.tidy(() => tf.gather(all, Array.from(rows))) });
    const inputs = rowsOf({
      length: 4,
      take: (rows: Int32Array) => ({ a: tf.ones([rows.length, 2]), b: tf.clone(all) }),
    });
    for (const rows of [one, inputs]) {
      for (const read of ['toArrays', 'toDense', 'toInputs'] as const) await rows[read]();
    }
    expect(tf.memory().numTensors).toBe(before);
    await expect(inputs.take(Int32Array.of(1)).toDense()).rejects.toThrow('rows');
    expect(tf.memory().numTensors).toBe(before);
    const again = rowsOf({ length: 4, take: () => kept }).take(Int32Array.of(2));
    expect(await again.toArrays()).toEqual(await again.toArrays());
    tf.dispose([all, kept]);
  });

  it('downloads a tensor once, and neither disposes it nor leaves others behind', async () => {
    const tensor = tf.tensor2d(ROWS);
    const before = tf.memory().numTensors;
    const rows = rowsOf(tensor);
    await rows.toDense();
    await rows.take(Int32Array.of(1)).toArrays();
    expect(tf.memory().numTensors).toBe(before);
    expect(tensor.isDisposed).toBe(false);
    tensor.dispose();
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
});

describe('isTensor', () => {
  it('is true for tensors alone', () => {
    expect(isTensor(tf.scalar(1))).toBe(true);
    for (const other of [null, [], { shape: [1], dtype: 'float32' }, new Matrix(1, 1)])
      expect(isTensor(other)).toBe(false);
  });
});
