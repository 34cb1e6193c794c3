import { afterEach, describe, expect, it, vi } from 'vitest';
import { readTable } from '../../../src/node/index.js';
import { hyparquet } from '../../../src/node/table/parquetFile.js';
import { rejection } from '../../helpers/failure.js';
import { tempFolder } from '../../helpers/tempFolder.js';
// Written by pyarrow: test/reference/tables.py.
import reference from '../../reference/tables.json' with { type: 'json' };

const { write } = tempFolder();
const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));
afterEach(() => vi.restoreAllMocks());

type Metadata = Awaited<ReturnType<typeof import('hyparquet').parquetMetadataAsync>>;
/** A file whose footer says something else. */
async function changed(name: string, change: (metadata: Metadata) => Partial<Metadata>): Promise<string> {
  const loaded = await import('hyparquet');
  const parquetMetadataAsync: typeof loaded.parquetMetadataAsync = async (...given) => {
    const metadata = await loaded.parquetMetadataAsync(...given);
    return { ...metadata, ...change(metadata) };
  };
  vi.spyOn(hyparquet, 'load').mockResolvedValue({ ...loaded, parquetMetadataAsync });
  return write(name, bytes(reference.parquet.snappy));
}

describe('a Parquet file', () => {
  it.each(Object.entries(reference.parquet))('with compression %s', async (name, file) => {
    const path = write(`${name}.parquet`, bytes(file));
    const table = await readTable(path, { target: 'y', groups: 'patient', timestamps: 'seen' });
    expect(table.X).toEqual({
      age: Float64Array.of(61.5, Number.NaN, 47, 70.25),
      stage: ['I', 'II', null, 'I'],
      smoker: Float64Array.of(1, 0, Number.NaN, 1),
    });
    expect(table.y).toEqual(Float64Array.of(0, 1, 0, 1));
    // The last id has 16 digits: as a number it would be another one.
    expect(table.groups).toEqual(['10', '11', '11', '9007199254740993']);
    expect(table.timestamps).toEqual([1, 2, 3, 4].map((day) => new Date(Date.UTC(2024, 0, day))));
    expect(table.info.missingMarks).toEqual({ '': 3 });
  });

  it('is read without the rows that have no target', async () => {
    const path = write('t.parquet', bytes(reference.parquet.snappy));
    const { X, y, info } = await readTable(path, { target: 'stage', missingTarget: 'drop', columns: ['age'] });
    expect([X.age, y]).toEqual([Float64Array.of(61.5, Number.NaN, 70.25), ['I', 'II', 'I']]);
    expect([info.rowsDropped, info.missingMarks]).toEqual([1, { '': 1 }]);
  });

  it('with decimals is read where numbers can hold them, and refused where two ids would become one', async () => {
    const path = write('d.parquet', bytes(reference.decimals));
    expect((await readTable(path, { target: 'y', drop: ['long'] })).X).toEqual({ short: Float64Array.of(1.25, -2.5) });
    expect(await rejection(readTable(path, { target: 'y', groups: 'long' }))).toBe(
      "not_numeric: Row 0, column 'long' must hold decimals of up to 15 digits. Got a longer one. Save them as text, or as floats.",
    );
  });

  it('whose footer counts other rows than there are is refused: they would be read as missing', async () => {
    const path = await changed('r.parquet', () => ({ num_rows: 5n }));
    expect(await rejection(readTable(path, { target: 'age' }))).toMatch(
      /^broken_file: .*4 values in a column of 5 rows/,
    );
  });

  it('with a number that goes on for all of its footer is refused at once', async () => {
    const footer = Buffer.alloc(1 << 20, 0x80);
    const end = Buffer.from([0, 0, 0, 0, 0x50, 0x41, 0x52, 0x31]);
    end.writeUInt32LE(footer.length);
    const path = write('f.parquet', Buffer.concat([Buffer.from('PAR1'), footer, end]));
    const began = performance.now();
    expect(await rejection(readTable(path, { target: 'y' }))).toMatch(/^broken_file: .*footer/);
    expect(performance.now() - began).toBeLessThan(2000);
  });

  it('that is damaged ends in an error, with runs that would fill the memory or a loop without end', async () => {
    const whole = Buffer.from(reference.parquet.none, 'base64');
    // Definition levels: two bytes long, a run of eight in bits (3). In its place a run of 2^31 - 1, and one of bits below 0.
    const at = whole.indexOf(Buffer.from([2, 0, 0, 0, 3])) + 4;
    for (const run of [
      [0xfe, 0xff, 0xff, 0xff, 0x0f],
      [0xff, 0xff, 0xff, 0xff, 0x0f],
    ]) {
      const damaged = Buffer.from(whole);
      damaged.set(run, at);
      expect(await rejection(readTable(write('h.parquet', damaged), { target: 'y' }))).toMatch(/^broken_file: /);
    }
  });

  it('whose footer asks for more cells than its bytes may become is refused before they have a place', async () => {
    const path = await changed('z.parquet', () => ({ num_rows: 10_000_000n }));
    expect(await rejection(readTable(path, { target: 'age' }))).toMatch(/^too_large: .*as `maxRatio` says/);
    // Raised, it goes on to what the file holds.
    expect(await rejection(readTable(path, { target: 'age', maxRatio: 1e6 }))).toMatch(/^broken_file: .*4 values/);
    expect(await rejection(readTable(path, { target: 'age', maxBytes: 100 }))).toMatch(/^too_large: .*`maxBytes`/);
  });

  it('whose footer has a column without a name is refused', async () => {
    const path = await changed('n.parquet', ({ schema }) => ({
      schema: schema.map((each, at) => (at === 2 ? { ...each, name: undefined as never } : each)),
    }));
    expect(await rejection(readTable(path, { target: 'outcome' }))).toMatch(/^broken_file: .*a column without a name/);
  });

  it('of a data frame has the numbers of its rows, which are no feature', async () => {
    const table = await readTable(write('i.parquet', bytes(reference.indexed)), { target: 'y' });
    expect(Object.keys(table.X)).toEqual(['a']);
    expect(table.info.notes.join()).toContain("Left out of X (ids): '__index_level_0__'");
  });

  it('is refused with lists in cells, when it is cut, and without hyparquet', async () => {
    const options = { target: 'y' };
    expect(await rejection(readTable(write('a.parquet', bytes(reference.nested)), options))).toMatch(/^not_a_table: /);
    const cut = write('b.parquet', bytes(reference.parquet.snappy).subarray(0, 900));
    expect(await rejection(readTable(cut, options))).toMatch(
      /^broken_file: The file b\.parquet must be a whole Parquet/,
    );
    vi.spyOn(hyparquet, 'load').mockRejectedValue(new Error('not found'));
    expect(await rejection(readTable(cut, options))).toBe(
      "missing_package: readTable of a Parquet file needs the package 'hyparquet', which could not be loaded. Run: npm install hyparquet",
    );
  });
});
