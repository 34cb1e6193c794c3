import { describe, expect, it } from 'vitest';
import { inputsOf, readFeatures, tableOf } from '../../../src/checkers/features/features.js';
import { rowsOf } from '../../../src/data/rows.js';

const read = async (X: unknown) => {
  const { n, columns } = await readFeatures(rowsOf(X));
  return [
    n,
    ...columns.map(({ name, kind, values, levels, dates }) => ({ name, kind, values: [...values], levels, dates })),
  ];
};
const number = (name: string, values: number[]) => ({
  name,
  kind: 'number',
  values,
  levels: undefined,
  dates: undefined,
});

describe('readFeatures', () => {
  it('reads every kind of numbers as columns', async () => {
    const columns = [2, number('feature 0', [1, 3]), number('feature 1', [2, 4])];
    expect(
      await read([
        [1, 2],
        [3, 4],
      ]),
    ).toEqual(columns);
    expect(await read({ data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] })).toEqual(columns);
    expect(await read({ a: [1, 3], b: [2, 4] })).toEqual([2, number('a', [1, 3]), number('b', [2, 4])]);
    expect(
      await read([
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ]),
    ).toEqual([2, number('a', [1, 3]), number('b', [2, 4])]);
  });

  it('reads text as categories, missing cells as NaN, booleans, dates and numbers in text as numbers', async () => {
    const day = new Date('2024-05-31');
    const rows = [
      { sex: 'f', age: '61', seen: day, smoker: true, note: '' },
      { sex: 'm', age: null, seen: null, smoker: false, note: null },
      { sex: undefined, age: '7.5', seen: day, smoker: null, note: undefined },
    ];
    expect(await read(rows)).toEqual([
      3,
      { name: 'sex', kind: 'category', values: [0, 1, Number.NaN], levels: ['f', 'm'], dates: undefined },
      number('age', [61, Number.NaN, 7.5]),
      { ...number('seen', [day.getTime(), Number.NaN, day.getTime()]), dates: true },
      number('smoker', [1, 0, Number.NaN]),
      number('note', [Number.NaN, Number.NaN, Number.NaN]),
    ]);
  });

  it('reads a column of numbers as such though a few cells are texts, which it keeps', async () => {
    const cells: unknown[] = Array.from({ length: 100 }, (_, row) => row / 4);
    const X = (changed: Record<number, unknown>) => cells.map((cell, row) => ({ psa: changed[row] ?? cell }));
    const column = async (changed: Record<number, unknown>) => (await readFeatures(rowsOf(X(changed)))).columns[0];

    const written = await column({ 0: '<0.1', 3: '12,5', 4: 'n/a', 5: '7.25' });
    expect([written.kind, ...written.values.slice(0, 6)]).toEqual(['number', 0.1, 0.25, 0.5, 12.5, Number.NaN, 7.25]);
    expect(written.texts).toBeUndefined();

    const mixed = await column({ 1: 'haemolysed', 2: '<2', 3: 'refused', 4: 'NA' });
    expect([mixed.kind, ...mixed.values.slice(0, 6)]).toEqual([
      'number',
      0,
      Number.NaN,
      2,
      Number.NaN,
      Number.NaN,
      1.25,
    ]);
    expect(mixed.texts).toMatchObject({ name: 'psa', kind: 'category', levels: ['a number', 'haemolysed', 'refused'] });
    expect([...(mixed.texts?.values ?? [])].slice(0, 6)).toEqual([0, 1, 0, 2, Number.NaN, 0]);
  });

  it('leaves a category what it is: many texts, or numbers of few values', async () => {
    const kindOf = async (cells: unknown[]) =>
      (await readFeatures(rowsOf(cells.map((stage) => ({ stage }))))).columns[0].kind;
    const list = (make: (row: number) => unknown) => Array.from({ length: 200 }, (_, row) => make(row));
    expect(await kindOf(list((row) => (row % 10 === 0 ? `V${row % 50}` : row)))).toBe('category');
    expect(await kindOf(list((row) => (row % 100 === 0 ? '4a' : row % 20)))).toBe('category');
    expect(await kindOf(list((row) => (row % 2 ? 'n/a' : '')))).toBe('category');
    expect(await kindOf(list((row) => ['1 year', '2 years', '3 years'][row % 3]))).toBe('category');
    expect(await kindOf(list((row) => (row % 100 === 0 ? 'NA' : row % 5)))).toBe('number');
  });

  it('reads a source block by block, in order, once', async () => {
    const asked: number[] = [];
    const source = {
      length: 600,
      take: (indices: Int32Array) => {
        asked.push(...indices);
        return Array.from(indices, (row) => [row, -row]);
      },
    };
    const [n, first] = (await read(source)) as [number, { values: number[] }];
    expect(n).toBe(600);
    expect(first.values).toEqual(Array.from({ length: 600 }, (_, row) => row));
    // Row 0 once more, for the shape.
    expect(asked).toEqual([0, ...Array.from({ length: 600 }, (_, row) => row)]);
  });

  it('names the columns of several inputs after their input', async () => {
    const X = {
      blood: [
        [1, 2],
        [3, 4],
      ],
      age: [50, 60],
    };
    expect(await read(X)).toEqual([
      2,
      number('blood.feature 0', [1, 3]),
      number('blood.feature 1', [2, 4]),
      number('age.age', [50, 60]),
    ]);
  });

  it('tells each input with images from the table', async () => {
    const image = Array.from({ length: 16 }, (_, y) => Array.from({ length: 16 }, (_, x) => x * y));
    const features = await readFeatures(rowsOf({ front: [image, image], age: [50, 60], side: [image, image] }));
    const inputs = inputsOf(features);
    expect(inputs.map(({ images }) => images?.map(({ input }) => input))).toEqual([['front'], ['side'], undefined]);
    expect(inputs[2].columns).toEqual(tableOf(features));
    expect(tableOf(features).map(({ name }) => name)).toEqual(['age.age']);
    expect(features.columns.length).toBeGreaterThan(1);
    // A table has one input; images alone have no table.
    expect(inputsOf(await readFeatures(rowsOf([[1], [2]])))).toHaveLength(1);
    expect(inputsOf(await readFeatures(rowsOf([image, image])))).toMatchObject([{ columns: [] }]);
  });

  it('flattens windows of a series', async () => {
    const [n, ...columns] = await read([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ]);
    expect([n, columns.length]).toEqual([2, 4]);
  });

  it('reads symbols as text, and objects as nested cells', async () => {
    const { columns } = await readFeatures(
      rowsOf([
        { a: Symbol('x'), b: { c: 1 } },
        { a: 'y', b: 'z' },
      ]),
    );
    expect(columns.map(({ levels, nested }) => [levels, nested])).toEqual([
      [['Symbol(x)', 'y'], undefined],
      [['z', '{"c":1}'], true],
    ]);
  });

  it('names the cell of an object that holds itself', async () => {
    const cell: { own?: object } = {};
    cell.own = cell;
    await expect(readFeatures(rowsOf([{ a: 1 }, { a: cell }]))).rejects.toThrow(
      'Row 1 of column a must hold numbers, text, dates, or objects that can be written as JSON. Got an object that cannot (it holds itself, or a BigInt).',
    );
  });
});
