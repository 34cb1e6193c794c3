import { zipSync } from 'fflate';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readTable } from '../../../src/node/index.js';
import { readExcelFile } from '../../../src/node/table/xlsxFile.js';
import { rejection } from '../../helpers/failure.js';
import { tempFolder } from '../../helpers/tempFolder.js';
// Written by openpyxl, read by pandas: test/reference/sheets.py.
import reference from '../../reference/sheets.json' with { type: 'json' };

const { write } = tempFolder();
const book = Buffer.from(reference.file, 'base64');
const path = () => write('visits.xlsx', book);
const numbers = (cells: readonly (number | null)[]) => Float64Array.from(cells, (cell) => cell ?? Number.NaN);
afterEach(() => vi.restoreAllMocks());

describe('a sheet of an .xlsx file', () => {
  const { visits } = reference;
  const roles = { target: 'y', groups: 'patient', timestamps: 'seen' };

  it('is read as pandas reads it, below its title', async () => {
    const table = await readTable(path(), roles);
    expect([table.y, table.groups]).toEqual([numbers(visits.y), visits.patient]);
    expect(table.timestamps).toEqual(visits.seen.map((time) => (time === null ? '' : new Date(time))));
    expect(table.X).toEqual({
      age: numbers(visits.age),
      crp: visits.crp.map(String),
      smoker: numbers(visits.smoker),
      stage: visits.stage,
    });
    expect(table.info).toMatchObject({ format: 'xlsx', dialect: ['sheet visits'], missingMarks: { '': 4 } });
    const notes = table.info.notes.join('\n');
    expect(notes).toContain("Sheet 'visits'; 1 other sheet left out.");
    expect(notes).toContain('1 line before the header left out (titles or comments). `skip: 0` keeps them.');
    expect(notes).toContain("Column 'crp': In 2 rows the text is a limit of detection: `detectionLimit: ");
  });

  it('has limits of detection as numbers where an option says so, and places as the sheet numbers its rows', async () => {
    const { X, info } = await readTable(path(), { ...roles, detectionLimit: 'half' });
    expect(X.crp).toEqual(Float64Array.of(0.25, 12.25, 3, 100));
    expect(info.notes.join('\n')).toContain("Column 'crp': 2 values beyond a limit of detection, read as half");
    expect(await rejection(readTable(path(), { ...roles, types: { crp: 'numeric' } }))).toMatch(
      /^not_numeric: Line 4, /,
    );
  });

  it('names the others where it is empty, or has other columns', async () => {
    const sheets = [
      { sheet: 'about', data: [['Ward 7']] },
      { sheet: 'data', data: [['y'], [1]] },
    ];
    vi.spyOn(readExcelFile, 'load').mockResolvedValue({ default: async () => sheets } as never);
    const others = "Pass `sheet`. The others are: 'data'.";
    expect(await rejection(readTable(path()))).toContain(others);
    sheets[0].data.push(['of 2024']);
    expect(await rejection(readTable(path(), { target: 'y' }))).toMatch(/^unknown_column: .*The others are: 'data'\.$/);
  });

  it('is the one that `sheet` names, with names and lines as the options say', async () => {
    expect((await readTable(path(), { sheet: 'new rows' })).X).toEqual({
      a: numbers(reference['new rows'].a),
      b: reference['new rows'].b,
    });
    const named = await readTable(path(), { sheet: 'new rows', skip: 1, columnNames: ['c', 'd'] });
    expect(named.X).toEqual({ c: Float64Array.of(1, 2.5), d: ['x', null] });
    expect(await rejection(readTable(path(), { sheet: 'visit' }))).toBe(
      "unknown_sheet: The `sheet` option of readTable must name one of the 2 sheets of visits.xlsx. Got 'visit'. Did you mean 'visits'?",
    );
    expect(await rejection(readTable(path(), { sheet: 'new rows', columnNames: ['c'] }))).toMatch(/^length_mismatch: /);
    expect(await rejection(readTable(path(), { decimal: ',' }))).toMatch(/^idle_option: .*`decimal`.*the file is xlsx/);
    expect(await rejection(readTable(write('a.csv', 'a,y\n1,0\n'), { sheet: 'a' }))).toMatch(/^idle_option: /);
  });

  it('that is damaged, or would fill the memory, is refused before it is read', async () => {
    expect(await rejection(readTable(write('d.xlsx', book.subarray(0, 4000))))).toMatch(
      /^broken_file: The file d\.xlsx/,
    );
    expect(await rejection(readTable(write('e.xlsx', 'a,b')))).toMatch(/^broken_file: /);
    expect(await rejection(readTable(path(), { maxBytes: 10_000 }))).toMatch(/^too_large: .*`maxBytes`/);
    const other = zipSync({ 'a.txt': Buffer.from('x') });
    expect(await rejection(readTable(write('z.xlsx', other)))).toMatch(/^broken_file: /);
    expect(await rejection(readTable(write('z.zip', other)))).toMatch(/^unknown_format: .*a zip archive/);
  });

  it('needs the package read-excel-file, and says how to get it', async () => {
    vi.spyOn(readExcelFile, 'load').mockRejectedValue(new Error('not found'));
    expect(await rejection(readTable(path()))).toMatch(/^missing_package: .*npm install read-excel-file/);
  });
});
