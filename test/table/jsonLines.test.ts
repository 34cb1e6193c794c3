import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/index.js';
import { rejection } from '../helpers/failure.js';
import { tempFolder } from '../helpers/tempFolder.js';

const { write } = tempFolder();
const refused = (text: string) => rejection(readTable(write('a.jsonl', text), { target: 'y' }));

describe('JSON lines', () => {
  it('keep the types of their values; keys that a record lacks are missing', async () => {
    const text =
      '{"id":"007","a":1.5,"s":"x","y":true}\n\n{"id":"008","s":"NA","y":false,"late":3}\r\n{"id":"8","a":2,"s":"z","y":true}';
    const table = await readTable(write('a.ndjson.gz', gzipSync(text)), { target: 'y', groups: 'id' });
    expect(table.X).toEqual({
      a: Float64Array.of(1.5, Number.NaN, 2),
      s: ['x', null, 'z'],
      late: Float64Array.of(Number.NaN, 3, Number.NaN),
    });
    expect([table.y, table.groups]).toEqual([
      [true, false, true],
      ['007', '008', '8'],
    ]);
    expect(table.info.notes).toContain('3 records without all keys; what they lack is missing.');
  });

  it('may hold large numbers that are no integers to the last digit', async () => {
    const table = await readTable(write('l.jsonl', '{"a":1e300,"b":12345678901234567.5,"y":0}'), { target: 'y' });
    expect(table.X).toEqual({ a: Float64Array.of(1e300), b: Float64Array.of(Number('12345678901234567.5')) });
  });

  it('with several kinds in a column become text, and it is told where', async () => {
    const table = await readTable(write('b.jsonl', '{"a":1,"y":0}\n{"a":"low","y":1}\n'), { target: 'y' });
    expect(table.X).toEqual({ a: ['1', 'low'] });
    expect(table.info.notes[0]).toContain('(number first in line 1, text first in line 2)');
  });

  it('are refused by line: broken, no record, a key twice, a list in a cell', async () => {
    expect(await refused('{"a":1,"y":0}\n{"a":Smith\n')).toBe(
      'broken_json: Line 2 of a.jsonl must be one JSON record. Got text that is no JSON.',
    );
    expect(await refused('[1,2]\n')).toMatch(/^broken_json: Line 1 .* an array of length 2/);
    expect(await refused('{"a":1,"y":0,"a":2}\n')).toBe(
      "duplicate_column: Line 1 of a.jsonl must have different keys. Got 'a' twice.",
    );
    expect(await refused('{"a":[1],"y":0}\n')).toMatch(/^not_a_table: Line 1, column 'a'/);
    expect(await refused('{"a":9007199254740993,"y":0}\n')).toBe(
      "not_numeric: Line 1 of a.jsonl, key 'a' must hold integers up to 9007199254740991. Got a larger one. Write them as text.",
    );
    expect(await refused('\n')).toMatch(/^empty_table: /);
  });

  it('take time in proportion to their length, quotes and backslashes or not, and find a key twice behind them', async () => {
    const cell = `${'"'.repeat(200_000)}${'\\'.repeat(200_000)}${' '.repeat(200_000)}${'x'.repeat(4_000_000)}`;
    const line = `{"a":${JSON.stringify(cell)},"b":{"c":"]}:{","y":1},"y" :1}`;
    expect(await refused(line)).toMatch(/^not_a_table: Line 1, column 'b'/);
    expect(await refused(`{"a":${JSON.stringify(cell)},"y" :1, "\\u0061":2}`)).toMatch(
      /^duplicate_column: .*'a' twice/,
    );
    const table = await readTable(write('l.jsonl', `{"a":${JSON.stringify(cell)},"y":1}`), {
      target: 'y',
      columns: ['a'],
    });
    expect(table.X).toEqual({ a: [cell] });
  });

  it('are read up to 64 MB a line, however they are packed', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26 + 1, 'x'), { level: 1 });
    expect(await rejection(readTable(write('m.jsonl.gz', bomb), { maxRatio: 2000 }))).toMatch(
      /^too_large: .*lines of at most 67108864/,
    );
  });
});
