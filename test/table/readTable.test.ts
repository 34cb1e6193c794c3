import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, KFold, loadModel, type RefittedModel, UniversalCVRunner } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';
import { type ReadTableOptions, readTable, type TableWithoutTarget } from '../../src/table/index.js';
import { rejection } from '../helpers/failure.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { ROOT } from '../meta/program.js';
import reference from '../reference/tables.json' with { type: 'json' };

const { write } = tempFolder();
let files = 0;
const read = (text: string | Uint8Array, options: Partial<ReadTableOptions> = {}, name = `t${files++}.csv`) =>
  readTable(write(name, text), { ...options, target: options.target ?? 'y' });
const refusal = async (text: string | Uint8Array, options: Partial<ReadTableOptions> = {}) =>
  (await rejection(read(text, options))).replace(/t\d+\.csv/g, 'FILE');
const typesOf = (table: Awaited<ReturnType<typeof readTable>>) =>
  Object.fromEntries(table.info.columns.map(({ name, type }) => [name, type]));

describe('a CSV file', () => {
  it('becomes X, y and groups: numbers in typed arrays, categories as text, missing as NaN and null', async () => {
    const table = await read('id,age,stage,y\n7,61.5,I,0\n7,?,II,1\n8,-4e1,NA,0\n', { groups: 'id' });
    expect(table.X).toEqual({ age: Float64Array.of(61.5, Number.NaN, -40), stage: ['I', 'II', null] });
    expect(table.y).toEqual(Float64Array.of(0, 1, 0));
    expect(table.groups).toEqual(['7', '7', '8']);
    expect(table.info.missingMarks).toEqual({ '?': 1, NA: 1 });
    expect(Object.keys(table)).toEqual(['X', 'y', 'groups', 'sha256']);
  });

  it.each([
    ['semicolon', ';'],
    ['tab', '\t'],
    ['pipe', '|'],
  ])('with the delimiter %s and a decimal comma', async (name, delimiter) => {
    const table = await read(['a b y', '1,5 x 0', ',25 z 1'].join('\n').replaceAll(' ', delimiter));
    expect(table.X).toEqual({ a: Float64Array.of(1.5, 0.25), b: ['x', 'z'] });
    expect(table.info.dialect).toEqual([name, 'decimal comma']);
  });

  it('with a byte order mark, CRLF, quotes, line breaks and empty lines', async () => {
    const text = '\ufeffa,"b ""c""",y\r\n1,"x,\r\ny",0\r\n\r\n2,"say ""no""",1\r\n';
    const table = await read(text);
    expect(table.X).toEqual({ a: Float64Array.of(1, 2), 'b "c"': ['x,\r\ny', 'say "no"'] });
    expect(table.info.notes).toEqual(['1 empty line left out.']);
    expect(table.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('of a File, as a page has it: the same as of the path, gzip too', async () => {
    const text = `id,age,y\n${Array.from({ length: 300 }, (_, row) => `p${row % 90},${row % 61},${row % 2}\n`).join('')}`;
    for (const [name, bytes] of [
      ['a.csv', text],
      ['a.csv.gz', gzipSync(text)],
    ] as const) {
      const ofPath = await readTable(write(name, bytes), { target: 'y', groups: 'id' });
      const ofFile = await readTable(new File([bytes], name), { target: 'y', groups: 'id' });
      expect(ofFile).toEqual(ofPath);
      expect(ofFile.summary()).toBe(ofPath.summary());
    }
    const blob = new Blob([text]);
    expect((await readTable(blob, { target: 'y', format: 'csv' })).y).toHaveLength(300);
    expect(await rejection(readTable(blob, { target: 'y' }))).toContain("Pass `format`, for example 'csv'.");
    expect(await rejection(readTable(new Blob([]), { target: 'y', format: 'csv' }))).toContain('an empty file');
  });

  it('without a header, within gzip, by URL, in other encodings', async () => {
    const columnNames = ['a', 'y'];
    expect((await read('1,0\n2,1\n', { columnNames })).X).toEqual({ a: Float64Array.of(1, 2) });
    const packed = write('packed.csv.gz', gzipSync('a,y\n1,0\n'));
    expect((await readTable(pathToFileURL(packed), { target: 'y' })).X).toEqual({ a: Float64Array.of(1) });
    const western = Uint8Array.of(...Buffer.from('a,y\nM'), 0xfc, ...Buffer.from('ller,1\n'));
    expect((await read(western, { encoding: 'windows-1252' })).X).toEqual({ a: ['Müller'] });
    expect(await refusal(western)).toMatch(/^wrong_encoding: The file FILE must be text in utf-8\./);
    const marked = Buffer.from('\ufeffa,y\nä,1\n', 'utf16le');
    expect((await read(marked, { encoding: 'utf-16le' })).X).toEqual({ a: ['ä'] });
    // The mark says it; without one, or with another encoding named, it is refused.
    const found = await read(marked);
    expect([found.X, found.info.dialect]).toEqual([{ a: ['ä'] }, ['comma', 'utf-16le']]);
    expect(await refusal(marked, { encoding: 'utf-8' })).toMatch(/^wrong_encoding/);
  });

  it('of a hospital, as pandas reads it: see test/reference/tables.py', async () => {
    const { hospital } = reference;
    const table = await read(Buffer.from(hospital.file, 'base64'), {
      encoding: 'windows-1252',
      groups: 'patient',
      timestamps: 'seen',
      types: { note: 'categorical' },
      columns: ['case', 'name', 'crp', 'weight', 'smoker', 'note'],
    });
    const numbers = (name: keyof typeof hospital.numbers) =>
      Float64Array.from(hospital.numbers[name], (cell) => cell ?? Number.NaN);
    expect(table.X).toEqual({
      ...{ case: hospital.case, name: hospital.name, crp: numbers('crp'), weight: numbers('weight') },
      ...{ smoker: numbers('smoker'), note: hospital.note },
    });
    expect([table.y, table.groups]).toEqual([numbers('y'), hospital.patient]);
    expect((table.timestamps as Date[]).map(Number)).toEqual(hospital.seen);
    const notes = table.info.notes.join('\n');
    expect(notes).toContain("Column 'patient': 1 id is written in several ways");
    expect(notes).toContain(
      "Column 'case' holds codes (zeros before a number, or 16 digits and more; first in line 2)",
    );
    expect(notes).toContain("called 'column_11'");
    expect(notes).not.toContain("Column 'seen'");
  });

  it('with ends of lines of several systems, and blanks that keep words together', async () => {
    const table = await read('a,b,y\r\n\u00a01,2,0\n3,x,1\r5,z,0\r\n');
    expect(table.X).toEqual({ a: Float64Array.of(1, 3, 5), b: ['2', 'x', 'z'] });
    expect(table.info.notes[0]).toContain("Column 'a': blanks around 1 cells left out.");
    expect(table.info.notes[1]).toContain('other texts (first in line 3)');
  });

  it('larger than a block of the reader, with the line of a ragged row', { tags: 'slow' }, async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `${row % 97},"text ${row % 7}",${row % 2}`);
    const table = await read(`a,b,y\n${rows.join('\n')}\n`);
    expect(table.info.rows).toBe(60_000);
    expect(table.X.a).toEqual(Float64Array.from(rows, (_, row) => row % 97));
    rows[50_000] = '1,2';
    expect(await refusal(`a,b,y\n${rows.join('\n')}\n`)).toBe(
      'ragged_rows: Line 50002 of FILE must have 3 cells, as line 1 has. Got 2.',
    );
  });
});

describe('types', () => {
  it('are read from the cells, and ids, dates and free text stay out of X', async () => {
    const line = (row: number) =>
      `P${row}x,${1000 + row},${row % 3},${row % 2 ? 'TRUE' : 'false'},2024-01-${10 + (row % 9)},note of ${row},,${row % 2}`;
    const lines = Array.from({ length: 30 }, (_, row) => line(row));
    const table = await read(`code,no,level,flag,seen,note,none,y\n${lines.join('\n')}`);
    expect(typesOf(table)).toEqual({
      ...{ code: 'id', no: 'id', level: 'numeric', flag: 'boolean', seen: 'date', note: 'text', none: 'empty' },
      y: 'numeric',
    });
    expect(Object.keys(table.X)).toEqual(['level', 'flag']);
    expect(table.X.flag.slice(0, 3)).toEqual(Float64Array.of(0, 1, 0));
    expect(table.info.notes.join('\n')).toContain("Left out of X (ids): 'code', 'no'.");
    expect(table.summary()).toMatch(/seen +left out +date/);
  });

  it('are as `types` says, and `columns` takes what it names, in its order', async () => {
    const text = 'patientId,level,seen,y\n3,1,2024-02-03,a\n4,2,,b\n';
    const table = await read(text, { types: { level: 'categorical' }, columns: ['seen', 'level', 'patientId'] });
    expect(table.X).toEqual({
      seen: Float64Array.of(Date.UTC(2024, 1, 3), Number.NaN),
      level: ['1', '2'],
      patientId: Float64Array.of(3, 4),
    });
    expect(Object.keys(table.X)).toEqual(['seen', 'level', 'patientId']);
    expect(Object.keys((await read(text, { drop: ['seen'] })).X)).toEqual(['level']);
  });

  it('leave codes as text: zeros before a number, 16 digits and more', async () => {
    const table = await read('zip,long,y\n01234,1234567890123456,0\n99999,1,1\n');
    expect(table.X).toEqual({ zip: ['01234', '99999'], long: ['1234567890123456', '1'] });
  });

  it('tell where a column of numbers has text, and keep the numbers as they were written', async () => {
    const table = await read('dose,y\n1.0,0\n+2,1\n>300,0\n');
    expect(table.X).toEqual({ dose: ['1.0', '+2', '>300'] });
    const [note] = table.info.notes;
    expect(note).toMatch(/^Column 'dose' holds numbers \(first in line 2\) and other texts \(first in line 4\)/);
    expect(note).not.toContain('300');
    expect((await read('dose,y\nlow,0\n2,1\n')).info.notes[0]).toContain('first in line 3');
    expect(await refusal('dose,y\n1,0\nSmith,1\n', { types: { dose: 'numeric' } })).toBe(
      "not_numeric: Line 3, column 'dose' must hold a number, as `types` says it is 'numeric'. Got a string. If the text means missing, name it in `alsoMissing`.",
    );
  });

  it.each([
    ...['2019/02/03', '03-02-2019', '3.2.19', '3-Feb-2019', 'Feb 3, 2019', '3 February 2019', '3-Feb-19', '2019-2-3'],
    ...['03.02.2019', '3/2/2019 10:30'],
  ])('leave dates out of X also as %s, without another note', async (date) => {
    const table = await read(`seen,a,y\n"${date}",1,0\n"${date}",2,1\n`);
    expect([typesOf(table).seen, Object.keys(table.X)]).toEqual(['date', ['a']]);
    expect(table.info.notes).toEqual(["Left out of X (dates): 'seen'. `columns` or `types` can change that."]);
  });

  it.each([['May'], ['12'], ['10-20'], ['1.2.3.4'], ['A 2019'], ['3 mg']])('take %s for no date', async (text) =>
    expect(typesOf(await read(`a,b,y\n${text},1,0\n${text},2,1\n`)).a).not.toBe('date'),
  );

  it('leave numbers of rows out of X, also with gaps', async () => {
    for (const name of ['', 'Unnamed: 0', 'index']) {
      const table = await read(`${name},a,y\n0,5,0\n7,6,1\n2,8,1\n`);
      expect(Object.keys(table.X)).toEqual(['a']);
    }
    expect(Object.keys((await read(',a,y\n0,5,0\n0,6,1\n')).X)).toEqual(['column_1', 'a']);
    // Dropped by the header's own name, wherever it stands; R writes row names so.
    const named = { target: 'y', groups: 'g', drop: ['', 'b'] };
    const { X, info } = await read('"",a,b,y,,g\n"r1",5,1,0,7,p\n"r2",6,2,1,8,q\n', named);
    expect(Object.keys(X)).toEqual(['a']);
    expect(info.columns.map(({ name }) => name)).toEqual(['a', 'y', 'g']);
    expect(await rejection(read('a,y\n5,0\n6,1\n', { target: 'y', drop: [''] }))).toMatch(/^unknown_column: /);
    expect(await rejection(read(',y,a\n5,0,1\n6,1,2\n', { target: 'y', groups: 'column_1', drop: [''] }))).toMatch(
      /one role/,
    );
  });

  it('keep what pandas would lose: None is an answer; own marks, also numbers, are missing', async () => {
    expect((await read('a,y\nNone,0\nHigh,1\n')).X).toEqual({ a: ['None', 'High'] });
    const table = await read('a,y\n-9,0\nunknown,1\n4,1\n', { missing: ['-9', 'unknown'] });
    expect(table.X).toEqual({ a: Float64Array.of(Number.NaN, Number.NaN, 4) });
  });
});

describe('limits of detection among numbers', () => {
  const text = 'crp;y\n0,3;0\n<0,5;1\n> 100;0\n;1\n<=0,5;0\n2;1\n';
  const values = {
    limit: Float64Array.of(0.3, 0.5, 100, Number.NaN, 0.5, 2),
    half: Float64Array.of(0.3, 0.25, 100, Number.NaN, 0.25, 2),
    missing: Float64Array.of(0.3, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 2),
  };

  it('stay text without the option, which a note names', async () => {
    const { X, info } = await read(text);
    expect(X.crp).toEqual(['0,3', '<0,5', '> 100', null, '<=0,5', '2']);
    expect(info.notes[0]).toMatch(/ In 3 rows the text is a limit of detection: `detectionLimit: 'limit'`, 'half' or/);
    const word = await read('crp,y\n1,0\n<2,1\nneg,1\n', { detectionLimit: 'half' });
    expect(word.info.notes[0]).toContain('In 1 row the text is a limit of detection; `detectionLimit` was not applied');
    const first = 'crp,y\n<0.5,0\n0.3,1\n';
    expect((await read(first)).info.notes[0]).toMatch(/In 1 row the text is a limit/);
    expect(await refusal(first, { types: { crp: 'numeric' } })).toMatch(/^not_numeric: Line 2, .*`detectionLimit: /);
    expect((await read('crp,y\nlow,0\n0.3,1\n')).info.notes[0]).not.toContain('detectionLimit');
  });

  it.each(Object.entries(values))('become numbers with %s, and a note says so', async (detectionLimit, expected) => {
    const options = { detectionLimit } as ReadTableOptions;
    const { X, info } = await read(text, options);
    expect(X.crp).toEqual(expected);
    expect(info.notes[0]).toMatch(/^Column 'crp': 3 values beyond a limit of detection, read as /);
    const cells = [0.3, '<0,5', '> 100', null, '≤0.5', 2];
    const lines = cells.map((crp, row) => JSON.stringify({ crp, y: row % 2 })).join('\n');
    expect((await read(lines, { ...options, format: 'jsonl' })).X.crp).toEqual(expected);
    const first = await read('crp,y\n<0.5,0\n3,1\n', { ...options, types: { crp: 'numeric' } });
    expect(first.X.crp[1]).toBe(3);
    expect((await read('crp;y\n<0,5;0\n3;1\n', options)).info.dialect).toContain('decimal comma');
  });

  it('are none where a column has other texts or no number, nor in the target', async () => {
    const options = { detectionLimit: 'limit' } as const;
    const { X, info } = await read('a,b,c,y\n<5,1,<5,0\nlow,<2,>5,1\n7,pending,>5,0\n', options);
    expect(X).toEqual({ a: ['<5', 'low', '7'], b: ['1', '<2', 'pending'], c: ['<5', '>5', '>5'] });
    expect(info.notes).toContain("Column 'c' holds limits and no number, and is read as text.");
    expect((await read('a,y\n1,<5\n2,7\n', options)).y).toEqual(['<5', '7']);
    const mixed = [1, '<2', 'pending', '<1,234'].map((a, row) => JSON.stringify({ a, y: row % 2 })).join('\n');
    expect((await read(mixed, { ...options, format: 'jsonl' })).X.a).toEqual(['1', '<2', 'pending', '<1,234']);
    const thousands = [1, '<1,234'].map((a, row) => JSON.stringify({ a, y: row })).join('\n');
    expect((await read(thousands, { ...options, format: 'jsonl' })).X.a).toEqual(['1', '<1,234']);
    expect(await refusal('a,y\n1,0\n', { detectionLimit: 'double' as 'half' })).toMatch(/^invalid_option: /);
  });
});

describe('roles', () => {
  const text = 'who,site,day,w,lat,lon,a,y\np1,s1,2024-01-02,1,50,8,3,no\np2,s2,,2,51,9,4,yes\n';
  const roles = { groups: 'who', sites: 'site', timestamps: 'day', weights: 'w', coordinates: ['lat', 'lon'] as const };

  it('become side data', async () => {
    const { X: _, ...table } = await read(text, { ...roles, positiveLabel: 'yes' } as never);
    expect({ ...table, sha256: '' }).toEqual({
      ...{ y: ['no', 'yes'], groups: ['p1', 'p2'], hierarchy: { site: ['s1', 's2'] } },
      timestamps: [new Date('2024-01-02'), ''],
      sampleWeight: Float64Array.of(1, 2),
      coordinates: [
        [50, 8],
        [51, 9],
      ],
      ...{ positiveLabel: 'yes', sha256: '' },
    });
  });

  it('have null for a site or a level that is missing, and a note of none that are complete', async () => {
    const lines = Array.from({ length: 90 }, (_, row) => {
      const site = row % 30 === 0 ? 'NA' : `s${row % 9}`;
      return `${site},${row % 18 ? `w${row % 18}` : ''},${row % 7},${(row * 5) % 11},${(row % 7) + ((row * 7) % 5) > 4 ? 1 : 0}`;
    });
    const table = await read(`site,ward,a,b,y\n${lines.join('\n')}\n`, { sites: 'site', hierarchy: { ward: 'ward' } });
    expect(table.hierarchy?.site.slice(0, 2)).toEqual([null, 's1']);
    expect([table.hierarchy?.ward[0], table.hierarchy?.ward[36]]).toEqual([null, null]);
    const validator = new CVKitValidator({ metrics: ['roc_auc'], independentRows: true, ciFits: 0 });
    const result = await validator.validate({ model: () => new LogisticRegression(), ...table, verbose: 0 });
    expect(result.checks.find(({ code }) => code === 'CVL008')?.message).toContain('have no site');
    expect(await refusal('p,a,y\n,1,0\nq,2,1\n', { groups: 'p' })).toMatch(/^missing_group: /);
  });

  it.each([
    ['dd.mm.yyyy', '03.04.2024', undefined, Date.UTC(2024, 3, 3)],
    ['dd/mm/yyyy', '03/04/2024', 'dd/mm/yyyy', Date.UTC(2024, 3, 3)],
    ['mm/dd/yyyy', '03/04/2024 10:30', 'mm/dd/yyyy', Date.UTC(2024, 2, 4, 10, 30)],
    ['mm/dd/yyyy, told by a day', '03/24/2024', undefined, Date.UTC(2024, 2, 24)],
    ['ISO with strokes', '2024/03/04 10:30', undefined, Date.UTC(2024, 2, 4, 10, 30)],
    ['ISO with an offset', '2024-03-04T10:30+02:00', undefined, Date.UTC(2024, 2, 4, 8, 30)],
  ] as const)('dates as %s', async (_, cell, dateFormat, expected) => {
    const table = await read(`t,a,y\n${cell},1,0\n`, { timestamps: 't', dateFormat });
    expect(table.timestamps).toEqual([new Date(expected)]);
  });
});

describe('what is refused', () => {
  it('commas that may part thousands', async () =>
    expect(await refusal('b;a;y\n;;0\nx;1,234;0\n')).toMatch(/^ambiguous_decimal: .*\(first in column 'a', line 3\)/));

  it('years of two digits, with what to do', async () =>
    expect(await refusal('t;a;y\n03.04.24;1;0\n', { timestamps: 't' })).toMatch(
      /^not_a_date: .*a year of two digits. Write years with four/,
    ));

  it('files that are none, or of another kind', async () => {
    expect(await rejection(readTable(join(ROOT, 'nowhere.csv'), { target: 'y' }))).toMatch(/^unreadable_file: /);
    expect(await rejection(readTable(write('a.sav', 'x'), { target: 'y' }))).toMatch(/^unknown_format: /);
    const broken = write('broken.csv.gz', gzipSync('a,y\n1,2\n').subarray(0, 15));
    expect(await rejection(readTable(broken, { target: 'y' }))).toMatch(/^unreadable_file: /);
  });

  it('files that would unpack to more than `maxBytes` and `maxRatio` allow, and what is no file', async () => {
    const packed = write('p.csv.gz', gzipSync(`a,y\n${'1,0\n'.repeat(500)}`));
    expect((await readTable(packed, { target: 'y', maxBytes: 2004 })).info.rows).toBe(500);
    expect(await rejection(readTable(packed, { target: 'y', maxBytes: 2003 }))).toMatch(/^too_large: .*`maxBytes`/);
    expect(await rejection(readTable(write('p.csv', 'a,y\n1,0\n'), { maxBytes: 7 }))).toMatch(/^too_large: /);
    const bomb = write('b.npy.gz', gzipSync(Buffer.alloc(2 ** 26 + 1), { level: 1 }));
    expect(await rejection(readTable(bomb, { maxRatio: 100 }))).toMatch(/^too_large: .*67108864 bytes, as `maxRatio`/);
    expect(await rejection(readTable(bomb, { maxRatio: 1000 }))).toMatch(/^broken_file: /);
    const pipe = write('pipe.csv', '');
    if (process.platform === 'win32') return;
    execFileSync('sh', ['-c', 'rm "$0" && mkfifo "$0"', pipe]);
    for (const place of [pipe, '/dev/zero', dirname(pipe)]) {
      expect(await rejection(readTable(place, { format: 'csv' }))).toMatch(/^unreadable_file: /);
    }
  });

  it('takes no type from rows that are left out', async () => {
    const rows = Array.from(
      { length: 30 },
      (_, row) => `${40 + ((row * 7) % 30)},${row / 4},2020-01-${10 + (row % 20)},0${row},${row % 2}`,
    );
    const csv = (...more: string[]) => ['age,crp,seen,code,y', ...rows, ...more].join('\n');
    const plain = await read(csv());
    const totals = await read(csv('Total: 30,mean 3.6,all,sum,', 'Mean,,,7,'), { missingTarget: 'drop' });
    expect(totals.X).toEqual(plain.X);
    expect(Object.keys(totals.X)).toEqual(['age', 'crp']);
    expect(totals.info.columns).toEqual(plain.info.columns);
    expect(totals.info.notes.filter((note) => note.includes('other texts'))).toEqual([]);
    const stays = await read(csv('Total,,,,', 'x,1,,,1'), { missingTarget: 'drop' });
    expect(stays.info.columns[0].type).not.toBe('numeric');
    const asked = await read(csv('Total,,,,'), { missingTarget: 'drop', types: { age: 'categorical' } });
    expect(asked.X.age).toContain('40');
    const said = await read(csv('Total: 30,,,,'), { missingTarget: 'drop', types: { age: 'numeric' } });
    expect([said.X.age, said.info.missingMarks]).toEqual([plain.X.age, {}]);
    const none = { missingTarget: 'drop' } as const;
    expect(await refusal('a,y\n1,\n2,NA\n', none)).toBe(
      "missing_target: The target 'y' must have a value in every row. Got 2 rows of 2 without, first in line 2.",
    );
    expect(await refusal('a,y\n1,0\n2,\n3\n', none)).toMatch(/^ragged_rows: Line 4 /);
    expect(await refusal('t,a,y\n2020-01-01,1,0\nTotal,2,\n2020-02-30,3,1\n', { ...none, timestamps: 't' })).toMatch(
      /^not_a_date: Line 4, /,
    );
    const lines = [...Array(30).keys()].map((row) => JSON.stringify({ age: 40 + ((row * 7) % 30), y: row % 2 }));
    const json = `${[...lines, '{"age":"Total","y":null}'].join('\n')}\n`;
    expect((await read(json, { missingTarget: 'drop', format: 'jsonl' })).X.age).toBeInstanceOf(Float64Array);
  });

  it('drops what cannot be read, and counts no marks of what is dropped', async () => {
    const lines = [0, 1, 0, 1]
      .map((y, row) => JSON.stringify({ patient_id: { first: row }, age: 30 + row, y }))
      .join('\n');
    expect(Object.keys((await read(lines, { drop: ['patient_id'], format: 'jsonl' })).X)).toEqual(['age']);
    const marked = await read('note,age,patient_id,y\nx,30,NA,0\nz,31,p,1\n', { drop: ['patient_id', 'note'] });
    expect(marked.info.missingMarks).toEqual({});
  });

  it("drops rows without a target where `missingTarget: 'drop'` says so, and tells it", async () => {
    const table = await read('a,p,y\n1,x,0\n2,x,\n3,z,1\n', { missingTarget: 'drop', groups: 'p' });
    expect(table.X).toEqual({ a: Float64Array.of(1, 3) });
    expect(table.info.columns.find(({ name }) => name === 'p')?.distinct).toBe(2);
    const fewer = await read('s,y\nx,0\nz,\nx,1\n', { missingTarget: 'drop' });
    expect(fewer.info.columns[0].distinct).toBe(1);
    expect([table.y, table.groups, table.info.rowsDropped]).toEqual([Float64Array.of(0, 1), ['x', 'z'], 1]);
    expect(table.summary()).toContain('2 (1 row without a target left out)');
    const { warnings } = await read('a,y\n1,0\n2,1\n3,0\n', { missingTarget: 'drop' });
    expect(warnings).toBeUndefined();
    // In the report of whatever is made of the table.
    const model = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 0) });
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    const data = { X: { a: [1, 2, 3, 4] }, y: [0, 1, 0, 1], warnings: fewer.warnings };
    expect((await runner.run({ model, data })).metadata.warnings).toContain(
      "Rows without a value of the outcome 'y' were left out: 1 of 3.",
    );
  });
});

it('ids are no outcome, and `types` is the way out', async () => {
  const visits = Array.from({ length: 30 }, (_, row) => `MRN-${row % 10}-Q,${(row * 37) % 41}`).join('\n');
  for (const name of ['patient', 'patient_id', 'MRN']) {
    const table = `${name},a\n${visits}\n`;
    expect(await refusal(table, { target: name })).toMatch(/^id_target/);
    expect((await read(table, { target: name, types: { [name]: 'categorical' } })).y).toHaveLength(30);
  }
  const numbers = Array.from({ length: 30 }, (_, row) => `${4700 + (row % 10)},${(row * 37) % 41}`).join('\n');
  expect(await refusal(`patient,a\n${numbers}\n`, { target: 'patient' })).toMatch(/^id_target/);
  // Who is a patient, and who a control.
  const roles = Array.from({ length: 30 }, (_, row) => `${row % 2 ? 'patient' : 'control'},${(row * 37) % 41}`).join(
    '\n',
  );
  expect((await read(`subject,a\n${roles}\n`, { target: 'subject' })).y).toHaveLength(30);
  expect(
    (await read(`patient,a\n${roles.replace(/\w+,/g, (cell) => `${cell.length % 2},`)}\n`, { target: 'patient' })).y,
  ).toHaveLength(30);
});

it('a line of names with a decimal number among them is doubted, and a note says what to do', async () => {
  const { notes } = (await read('p1,7.83,y\np2,8.1,0\np3,9.2,1\n')).info;
  expect(notes.join(' ')).toContain('some of these names are decimal numbers');
  const spectrum = (await read('a,2019,y\n1,8.1,0\n2,9.2,1\n')).info;
  expect(spectrum.notes.join(' ')).not.toContain('decimal');
});

describe('without a target', () => {
  it('there is no y, and all else stays', async () => {
    const table = await readTable(write('new.csv', 'id,age,stage\n7,61.5,I\n8,?,II\n'), { groups: 'id' });
    expect(Object.keys(table)).toEqual(['X', 'groups', 'sha256']);
    expect(table.X).toEqual({ age: Float64Array.of(61.5, Number.NaN), stage: ['I', 'II'] });
    expect([table.y, table.groups]).toEqual([undefined, ['7', '8']]);
    expect(table.info.notes).toEqual(['No target: `target` names no column, so that there is no `y`.']);
    expect(inspect(table)).toContain('No target');
    const noTarget: TableWithoutTarget = await readTable(write('n.jsonl', '{"a":1}\n'));
    expect(noTarget.X).toEqual({ a: Float64Array.of(1) });
  });

  it('options about it are refused', async () => {
    const path = write('idle.csv', 'a\n1\n');
    for (const options of [{ missingTarget: 'drop' as const }, { positiveLabel: 1 }]) {
      expect(await rejection(readTable(path, options))).toMatch(/^idle_option: .*no `target` is named/);
    }
  });

  it('several causes are not made one: they are numbers', async () => {
    const text = (events: string[]) =>
      `days,what,a\n${events.map((each, row) => `${row + 1},${each},${row % 5}`).join('\n')}\n`;
    const roles = { time: 'days', event: 'what' };
    const words = text(['dead', 'alive', 'moved', 'dead', 'alive', 'dead']);
    expect(await rejection(readTable(write('words.csv', words), { ...roles, positiveLabel: 'dead' }))).toMatch(
      /^several_events: The column 'what' \(event\) must hold two texts, one of them for the event\. Got .* Write 0 for censored/,
    );
    const numbers = text(['1', '0', '2', '1', '0', '1']);
    expect(await rejection(readTable(write('causes.csv', numbers), { ...roles, positiveLabel: 1 }))).toMatch(
      /^several_events: /,
    );
    expect((await readTable(write('codes.csv', numbers), roles)).y).toMatchObject({
      event: Float64Array.of(1, 0, 2, 1, 0, 1),
    });
  });

  it('a model that was refitted and saved predicts the rows of a new file', async () => {
    const rows = Array.from({ length: 40 }, (_, row) => `p${row},${row % 9},${row % 3 ? 'I' : 'II'},${row % 9 > 4}`);
    const table = await read(`who,marker,stage,y\n${rows.join('\n')}\n`, { groups: 'who' });
    const { refitted } = await new UniversalCVRunner({ cvSplitter: new KFold(), verbose: 0 }).run({
      ...{ model: () => new LogisticRegression(), data: table, preprocessing: tabular(), refit: true },
    });
    const folder = join(dirname(write('beside.csv', '')), 'final');
    await (refitted as RefittedModel).save(folder);
    // One patient, whose stage is not known, and an order of columns of its own.
    const tomorrow = write('tomorrow.csv', 'stage,who,marker\n,p90,8\n');
    const { X } = await readTable(tomorrow, { columns: Object.keys(table.X) });
    expect((await (await loadModel(folder)).predict(X)).predictions).toEqual([true]);
  });
});

describe('property: what is written reads back', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aß漢🙂",;|\t\n\r\'# e7'), minLength: 1, maxLength: 8 });
  const word = letters.map((text) => `w${text}w`);
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const table = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    newline: fc.constantFrom('\n', '\r\n'),
    rows: fc.array(
      fc.tuple(fc.double({ min: -1e14, max: 1e14, noNaN: true }), fc.option(word, { freq: 3 }), fc.boolean()),
      { minLength: 1, maxLength: 30 },
    ),
  });

  it('quotes, delimiters, line breaks, any letters', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ delimiter, newline, rows }) => {
        const lines = rows.map(([a, b, y]) => [String(a), b === null ? '' : quoted(b), y ? 'yes' : 'no']);
        const text = [['a', 'b', 'y'], ...lines].map((line) => line.join(delimiter)).join(newline);
        const got = await read(
          text,
          { delimiter: delimiter as ',', decimal: '.', types: { b: 'text' }, columns: ['a', 'b'] },
          'p.csv',
        );
        // The text of -0 is 0.
        expect(got.X).toEqual({ a: Float64Array.from(rows, ([a]) => a + 0), b: rows.map(([, b]) => b) });
        expect(got.y).toEqual(rows.map(([, , y]) => (y ? 'yes' : 'no')));
      }),
      { numRuns: 60 },
    );
  });
});

describe('with the validator', () => {
  /** Predicts the middle between the means of one column. */
  const model = () => {
    let cut = 0;
    const first = (row: unknown) => Number(Object.values(row as object)[0]);
    return {
      fit(rows: unknown[]) {
        cut = rows.reduce((sum: number, row) => sum + first(row), 0) / rows.length;
      },
      predict: (rows: unknown[]) => rows.map((row) => (first(row) > cut ? 'yes' : 'no')),
    };
  };
  const rows = Array.from({ length: 60 }, (_, row) => `p${row >> 1},${row % 4},s,${(row >> 1) % 2 ? 'yes' : 'no'}`);
  const text = `who,a,b,y\n${rows.join('\n')}`;

  it('a table can be spread into validate', async () => {
    const table = await read(text, { groups: 'who', positiveLabel: 'yes' });
    const result = await new CVKitValidator({ nSplits: 3, metrics: ['accuracy'] }).validate({ model, ...table });
    expect(result.summary()).toContain('60 rows of 30 patients');
  });

  it('and prepared inside folds by `tabular`: imputed, scaled, one column per category', async () => {
    const withGaps = text.replace('p3,2', 'p3,?').replace('p9,3,s', 'p9,3,t');
    const table = await read(withGaps, { groups: 'who', positiveLabel: 'yes' });
    const widths = new Set<number>();
    const seen = () => ({
      fit: (rows: number[][]) => rows.forEach((row) => void widths.add(row.length)),
      predict: (rows: number[][]) => rows.map((row) => (row.every(Number.isFinite) ? 'yes' : 'no')),
    });
    const validator = new CVKitValidator({ nSplits: 3, metrics: ['sensitivity'] });
    const result = await validator.validate({ model: seen, ...table, preprocessing: tabular() });
    expect(widths.size).toBeGreaterThan(0);
    expect(result.confidenceIntervals.sensitivity?.estimate).toBe(1);
  });

  it('and is the `data` of run', async () => {
    const table = await read(text, { groups: 'who' });
    const results = await new UniversalCVRunner({ cvSplitter: new KFold() }).run({ model, data: table });
    expect(results.folds.length).toBeGreaterThan(1);
  });
});

const shared = process.env.CVKIT_SHARED_DATA ?? join(ROOT, '../shared/data');
describe.skipIf(!existsSync(shared))('real data, where the folder is (CVKIT_SHARED_DATA)', () => {
  it('Cleveland: 303 rows without a header, 6 question marks', async () => {
    const columnNames = 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' ');
    const table = await readTable(join(shared, 'processed.cleveland.data'), { target: 'num', columnNames });
    expect([table.info.rows, table.info.missingMarks, Object.keys(table.X).length]).toEqual([303, { '?': 6 }, 13]);
  });

  it('encounters: 6,196 rows of 4,945 patients', async () => {
    const options = { target: 'readmitted', groups: 'patient_nbr' };
    const table = await readTable(join(shared, 'diabetic_encounters.csv'), options);
    expect([table.info.rows, new Set(table.groups).size]).toEqual([6196, 4945]);
    expect(table.X.max_glu_serum as string[]).toContain('None');
  });
});

describe('many columns', () => {
  it('are checked by the header alone', async () => {
    // No row, so that nothing but the names can be refused.
    await expect(read('a,b,c\n', { target: 'y' })).rejects.toMatchObject({ code: 'unknown_column' });
    await expect(read('a,b,y\n1,2\n', { drop: ['z'] })).rejects.toMatchObject({ code: 'unknown_column' });
  });

  // Took 12 s with blocks of 32,768 numbers for each column, and 1.2 s since.
  it('of genes are read in about a second', { tags: 'slow' }, async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `g${at}`);
    const rows = Array.from({ length: 40 }, (_, row) => [...names.map((_, at) => (row * at) % 97), row % 2].join());
    const started = performance.now();
    const table = await read(`${names},y\n${rows.join('\n')}\n`, { columns: names });
    expect(Object.keys(table.X)).toHaveLength(20_000);
    expect(performance.now() - started).toBeLessThan(8000);
  });
});

it('a column that is called categorical is none of numbers for `tabular`', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => `${1 + (row % 4)},${row / 3},${row % 2}`);
  const { X } = await read(`stage,x,y\n${rows.join('\n')}\n`, { types: { stage: 'categorical' } });
  expect((await tabular().fitTransform(X))[0]).toHaveLength(5);
});

describe('ids that repeat and are in no role', () => {
  const random = randomSource(4);
  // 30 patients of four visits each
  const line = (row: number, id: string) => `${id},${random.random().toFixed(4)},${row % 4 < 2 ? 0 : 1}`;
  const lines = (idOf: (row: number) => string) => Array.from({ length: 120 }, (_, row) => line(row, idOf(row)));
  const table = (name: string, idOf: (row: number) => string, options: Partial<ReadTableOptions> = {}) =>
    read(`${name},x,y\n${lines(idOf).join('\n')}\n`, options);
  const validated = async (given: Awaited<ReturnType<typeof table>>, independentRows: boolean) => {
    const validator = new CVKitValidator({ independentRows, ciFits: 0, metrics: ['accuracy'], nSplits: 3 });
    return validator.validate({ model: () => new LogisticRegression(), ...given, verbose: 0 });
  };

  it.each([
    ['numbers', (row: number) => String(1000 + 17 * (row >> 2))],
    ['texts', (row: number) => `P${row >> 2}`],
  ])('are said, and asked about where rows are called independent: %s', async (_, idOf) => {
    const given = await table('id', idOf);
    expect(given.repeatedIds).toEqual({ id: 30 });
    expect(given.info.notes).toContain("'id' has 30 values in 120 rows: pass `groups: 'id'` if these are patients.");
    const result = await validated(given, true);
    const check = result.checks.find(({ code }) => code === 'CVL001');
    expect([result.overallStatus, check?.status]).toEqual(['needs_review', 'needs_review']);
    expect(check?.evidence).toEqual({ patients: 30 });
    const withGroups = await table('id', idOf, { groups: 'id' });
    expect(withGroups).not.toHaveProperty('repeatedIds');
    const clean = await validated(withGroups, false);
    expect(clean.checks.find(({ code }) => code === 'CVL001')?.status).toBe('passed');
  });

  it('are not those of rows or of places', async () => {
    const repeated = (row: number) => `P${row >> 2}`;
    expect(await table('id', (row) => `P${row}`)).not.toHaveProperty('repeatedIds');
    expect(await table('hospital_id', repeated)).not.toHaveProperty('repeatedIds');
  });

  it('are known by how they repeat, whatever their name, and by the names of persons', async () => {
    const twice = (row: number) => `M${1000 + (row >> 1)}`;
    for (const name of ['patient', 'subject', 'nhs_number', 'participant', 'case_no', 'record', 'key']) {
      const given = await table(name, twice);
      expect(given.repeatedIds).toEqual({ [name]: 60 });
      expect(Object.keys(given.X)).toEqual(['x']);
    }
    const result = await validated(await table('record', twice), true);
    expect([result.overallStatus, result.checks.find(({ code }) => code === 'CVL001')?.status]).toEqual([
      'needs_review',
      'needs_review',
    ]);
    const numbers = (row: number) => String(1000 + 7 * (row >> 1));
    for (const name of ['patient', 'subject', 'nhs_number', 'participant', 'case_no', 'record_no']) {
      expect((await table(name, numbers)).repeatedIds).toEqual({ [name]: 60 });
    }
    // One to three visits, by the name alone.
    const visits = (row: number) => `M${1000 + Math.floor(row / 1.7) - (row % 3)}`;
    expect((await table('patient', visits)).repeatedIds).toBeDefined();
  });

  it('are asked about where the caller drops them, and the author can answer', async () => {
    for (const name of ['id', 'mrn', 'patient']) {
      const given = await table(name, (row) => `P${row >> 2}`, { drop: [name] });
      expect(given.repeatedIds).toEqual({ [name]: 30 });
      expect(given.info.columns.map((column) => column.name)).toEqual(['x', 'y']);
      expect(given.info.notes).toHaveLength(1);
    }
    expect(await table('key', (row) => `P${row >> 2}`, { drop: ['key'] })).not.toHaveProperty('repeatedIds');
    const given = await table('id', (row) => `P${row >> 2}`, { drop: ['id'] });
    const validator = new CVKitValidator({ independentRows: true, ciFits: 0, metrics: ['accuracy'], nSplits: 3 });
    const model = () => new LogisticRegression();
    const acknowledged = { CVL001: 'numbers of devices' };
    const result = await validator.validate({ model, ...given, acknowledged, verbose: 0 } as never);
    const check = result.checks.find(({ code }) => code === 'CVL001');
    expect([result.overallStatus, check?.acknowledged]).toEqual(['not_fully_verified', 'numbers of devices']);
  });

  it('are no diagnoses, amounts, or columns of few kinds', async () => {
    const source = randomSource(8);
    const skewed = Array.from({ length: 120 }, () => Math.floor(60 * source.random() ** 2));
    const uniform = Array.from({ length: 120 }, () => Math.floor(60 * source.random()));
    const names: [string, (row: number) => string][] = [
      ['diagnosis', (row) => `K${skewed[row]}.${skewed[row] % 7}`],
      ['finding', (row) => `F${uniform[row]}`],
      ['report', (row) => `chest pain number ${row >> 1}`],
      ['pressure', (row) => `${110 + (row >> 1)} mmHg`],
      ['patient', (row) => ['patient', 'control'][row % 2]],
      ['stage', (row) => `T${row % 12}`],
    ];
    for (const [name, cell] of names) expect(await table(name, cell), name).not.toHaveProperty('repeatedIds');
    expect((await table('patient', (row) => String(row % 2))).X).toHaveProperty('patient');
    expect((await table('record', (row) => String(row >> 1))).X).toHaveProperty('record');
  });
});
