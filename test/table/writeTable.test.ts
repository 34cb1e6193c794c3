import { describe, expect, it } from 'vitest';
import { readTable } from '../../src/table/index.js';
import { rejection } from '../helpers/failure.js';
import { tempFolder } from '../helpers/tempFolder.js';
// Written and read by R: test/reference/writeTable.R.
import reference from '../reference/writeTable.json' with { type: 'json' };

const { write } = tempFolder();
let files = 0;
const read = (text: string, options: object = {}) =>
  readTable(write(`w${files++}.txt`, text), { target: 'y', ...options });

describe("what R's write.table writes: a header one name short", () => {
  it.each(Object.entries(reference.cases))('as read.table reads it: %s', async (_, { file, columns, rows }) => {
    const table = await read(file);
    const { y, ...others } = columns as Record<string, (number | string | null)[]>;
    const numbers = (cells: (number | string | null)[]) =>
      Float64Array.from(cells, (cell) => Number(cell ?? Number.NaN));
    const X = Object.fromEntries(
      Object.entries(others).map(([name, cells]) => [name, name === 'stage' ? cells : numbers(cells)]),
    );
    expect([table.X, table.y]).toEqual([X, numbers(y)]);
    expect(table.info.dialect).toContain('row names');
    expect(table.info.columns[0]).toMatchObject({ name: 'column_1', type: 'id', role: 'left out' });
    const named = await read(file, { groups: 'column_1' });
    expect(named.groups).toEqual(rows);
    expect((await read(file, { drop: [''] })).info.columns.map(({ name }) => name)).toEqual(Object.keys(columns));
  });

  it.each([
    ['a comma that may be the decimal mark', 'a,y\n1,5,0\n2,5,1\n'],
    ['a delimiter at the end of each row', 'a;b;y\n1;2;0;\n3;4;1;\n'],
    ['first cells that repeat', 'a;y\nr;1;0\nr;2;1\n'],
  ])('is none with %s', async (_, text) => expect(await rejection(read(text))).toMatch(/^ragged_rows: /));
});

describe('lines before the header', () => {
  const header = 'age;stage;y';
  const rows = '61,5;I;0\n47;II;1\n';
  const X = { age: Float64Array.of(61.5, 47), stage: ['I', 'II'] };

  it.each([
    ['a title', 'Visits of ward 5\n'],
    ['a title with the delimiters of the table', 'Visits of ward 5;;\n;;\n'],
    ['a title of two cells', 'Ward;5\n'],
    ['comments', '# made today; by hand\n# in cm\n'],
    ['a title and an empty line', 'Visits, as of today\n\n'],
  ])('are found and told: %s', async (_, before) => {
    const lines = before.split('\n').length - 1;
    const table = await read(`${before}${header}\n${rows}`);
    expect(table.X).toEqual(X);
    expect(table.info.notes).toContain(
      `${lines} line${lines > 1 ? 's' : ''} before the header left out (titles or comments). \`skip: 0\` keeps them.`,
    );
    const place = `Line ${lines + 3} of `;
    expect(await rejection(read(`${before}${header}\n61,5;I;0\n47;II\n`))).toContain(place);
    expect(await rejection(read(`${before}${header}\n61,5;I;0\n"47;II;0\n`))).toContain(place);
    expect(await rejection(read(`${before}${header}\n61,5;I;0\n"47"x;II;0\n`))).toContain(place);
    expect(await rejection(read(`${before}${header}\n61,5;I;0\n47;;\n`))).toContain(`first in line ${lines + 3}`);
  });

  it('are as many as `skip` says', async () => {
    const before = 'a "title"; of two lines\nx;y;z\n';
    const table = await read(`${before}${header}\n${rows}`, { skip: 2 });
    expect([table.X, table.info.notes]).toEqual([X, ['2 lines before the header left out.']]);
    const western = Uint8Array.of(...Buffer.from('T'), 0xfc, ...Buffer.from(`bingen\r\n${header}\r\n${rows}`));
    const path = write('western.csv', western);
    expect((await readTable(path, { target: 'y', skip: 1, encoding: 'windows-1252' })).X).toEqual(X);
    expect((await read(`\ufeffZürich\n${header}\n${rows}`)).X).toEqual(X);
    expect((await read(`Title\n${rows}`, { skip: 1, columnNames: ['age', 'stage', 'y'] })).X).toEqual(X);
    expect(await rejection(read(`Title; x\n${header}\n${rows}`, { skip: 0, target: undefined }))).toMatch(
      /^ragged_rows: .*pass `skip`/,
    );
    expect(await rejection(read(`${header}\n${rows}`, { skip: 9 }))).toMatch(/^empty_table: /);
  });

  it('are none where the first line is the header', async () => {
    expect((await read('crp;y\n<0,5;0\n0,3;1\n0,7;1\n')).info.notes[0]).toContain('`detectionLimit: ');
    expect(Object.keys((await read('#;age;y\n1;50;0\n2;60;1\n')).X)).toEqual(['#', 'age']);
    expect(Object.keys((await read(';a;b;y\nx;1;2;0\nz;3;4;1\n')).X)).toEqual(['a', 'b']);
    expect((await read('a,y\nx,0\nz,1\n')).X).toEqual({ a: ['x', 'z'] });
  });

  it('are found in a file that is longer than a block, whose ends cut letters of two bytes', async () => {
    const many = Array.from({ length: 20_000 }, (_, row) => `${row % 97};${'ä'.repeat(9)}${row % 7};${row % 2}`);
    for (const title of ['T', 'Tt']) {
      const { X: long, info } = await read(`${title}\n${header}\n${many.join('\n')}\n`);
      expect([info.rows, long.age[19_999], new Set(long.stage as string[]).size]).toEqual([20_000, 19_999 % 97, 7]);
    }
  });
});

it('reads times with an offset of hours alone, or without a colon', async () => {
  for (const offset of ['+00', '+0000', '+00:00', 'Z', '']) {
    const { timestamps } = await read(`t;a;y\n2020-01-01 10:00:00${offset};1;0\n2020-07-01 12:00:00${offset};2;1\n`, {
      timestamps: 't',
    });
    expect(timestamps).toEqual([new Date('2020-01-01T10:00:00Z'), new Date('2020-07-01T12:00:00Z')]);
  }
  const { timestamps } = await read('t;a;y\n2020-01-01 10:00:00.5 -0330;1;0\n2020-01-02;2;1\n', { timestamps: 't' });
  expect(timestamps).toEqual([new Date('2020-01-01T13:30:00.5Z'), new Date('2020-01-02')]);
});
