import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/index.js';
import { rejection } from '../helpers/failure.js';
import { tempFolder } from '../helpers/tempFolder.js';
// Written by numpy: test/reference/tables.py.
import reference from '../reference/tables.json' with { type: 'json' };

const { write } = tempFolder();
const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));
const tables = Object.entries(reference.npy).filter(([, { cells }]) => Array.isArray(cells[0]));

describe('a .npy file', () => {
  it.each(tables)('%s', async (_, { file, cells }) => {
    const columnNames = ['a', 'b', 'y'];
    const { X, y, info } = await readTable(write('a.npy', bytes(file)), { target: 'y', columnNames });
    const column = (at: number) => Float64Array.from(cells as number[][], (row) => row[at]);
    expect(X).toEqual({ a: column(0), b: column(1) });
    expect(Float64Array.from(y as ArrayLike<number>, Number)).toEqual(column(2));
    expect(info.format).toBe('npy');
  });

  it('takes numbers that mean missing', async () => {
    const { file, cells } = reference.npy.f8 as { file: string; cells: number[][] };
    const mark = cells[0][0];
    const options = { columnNames: ['a', 'b', 'y'], alsoMissing: [String(mark)] };
    const { X, info } = await readTable(write('m.npy', bytes(file)), options);
    expect(X.a).toEqual(Float64Array.from(cells, ([a]) => (a === mark ? Number.NaN : a)));
    expect(info.missingMarks[String(mark)]).toBe(cells.flat().filter((cell) => cell === mark).length);
  });

  it('is read without the rows that have no target, and with marks of one column', async () => {
    const { file, cells } = reference.npy.f8 as { file: string; cells: number[][] };
    const options = {
      target: 'y',
      columnNames: ['a', 'b', 'y'],
      alsoMissing: { y: [1] },
      missingTarget: 'drop',
    } as const;
    const { X, y, info } = await readTable(write('n.npy', bytes(file)), options);
    const kept = cells.filter((row) => row[2] !== 1);
    expect([X.a, y.length, info.rowsDropped]).toEqual([Float64Array.from(kept, ([a]) => a), kept.length, 1]);
  });

  it('of one dimension is one column, which leaves none for X', async () => {
    const path = write('b.npy', bytes(reference.npy['one dimension'].file));
    expect(await rejection(readTable(path, { target: 'column_1' }))).toMatch(/^no_features: /);
  });

  it('is refused with text, integers that numbers cannot hold, missing bytes, and idle options', async () => {
    const target = 'column_2';
    const refused = async (content: Uint8Array, more = {}) =>
      rejection(readTable(write('c.npy', content), { target, ...more }));
    expect(await refused(bytes(reference.text))).toMatch(/^unknown_format: /);
    expect(await refused(bytes(reference.large))).toMatch(/^not_numeric: Row 0 of c\.npy/);
    expect(await refused(bytes(reference.npy.f8.file).subarray(0, 150))).toMatch(/^broken_file: /);
    expect(await refused(bytes(reference.npy.f8.file), { delimiter: ',' })).toMatch(/^idle_option: /);
  });
});
