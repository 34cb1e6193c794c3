import { describe, expect, it } from 'vitest';
import { readTable } from '../../../src/node/index.js';
import { tempFolder } from '../../helpers/tempFolder.js';

const { write } = tempFolder();
let files = 0;
/** Notes about the column `a` of a file of two columns and a target. */
async function notesOn(cells: readonly string[], options = {}) {
  const text = `a,b,y\n${cells.map((cell, row) => `${/,/.test(cell) ? `"${cell}"` : cell},${row},${row % 2}`).join('\n')}\n`;
  const { info } = await readTable(write(`d${files++}.csv`, text), { target: 'y', decimal: '.', ...options });
  return info.notes.filter((note) => note.includes("'a'"));
}

describe('texts that look like numbers', () => {
  it.each([
    ['marks of thousands', ['1,234', '12,345,678']],
    ['percent signs', ['45%', '50 %']],
    ['comparisons', ['<5', '>= 300']],
    ['units', ['5 mg', '7.5 mmol/l']],
    ['currencies', ['$5', '7 €']],
    ['brackets', ['(5)', '(12)']],
    ['missing ones between', ['', '1,5', '', '2,5']],
  ])('%s', async (_, cells) => {
    const first = cells.findIndex((cell) => cell !== '') + 2;
    const [note] = await notesOn(cells);
    expect(note).toContain(`holds texts that look like numbers (first in line ${first})`);
  });

  it('are none: words, dates, codes, times, a few among many; and where the author says what they are', async () => {
    const cells = [
      ['low', 'high'],
      ['007', '010'],
      ['10:30', '11:45'],
      ['A1', '2B'],
      ['45%', 'none', 'all'],
    ];
    for (const each of cells) {
      expect((await notesOn(each)).filter((note) => note.includes('look like'))).toEqual([]);
    }
    expect(await notesOn(['45%', '50%'], { types: { a: 'categorical' } })).toEqual([]);
    expect(await notesOn(['45%', '50%'], { groups: 'a' })).toEqual([]);
  });

  it('are looked for in time in proportion to their length', async () => {
    const blanks = ' '.repeat(20_000);
    const rows = [`<${blanks}x`, `1${blanks}x`, `1${'0'.repeat(20_000)}x`, `$${blanks}`, `1${blanks}%`, `2${blanks}mg`];
    const text = rows.map((a, y) => JSON.stringify({ a, b: y, y: y % 2 })).join('\n');
    expect((await readTable(write('n.jsonl', text), { target: 'y' })).info.notes.join()).toContain('look like numbers');
  });

  it('are told of JSON, where a number stands in quotes', async () => {
    const text = '{"a":"61","b":1,"y":0}\n{"a":"62.5","b":1,"y":1}\n';
    const { info } = await readTable(write('q.jsonl', text), { target: 'y' });
    expect(info.notes[0]).toContain("Column 'a' holds texts that look like numbers (first in line 1)");
  });
});

describe('numbers that may mean something else', () => {
  it.each([
    [['-999', '5', '7', '-999'], "Column 'a' holds -999 in 2 rows and no other number below 0."],
    [['999', '61', '47', '999'], "Column 'a' holds 999 in 2 rows and else much smaller numbers."],
    [['20190203', '', '20190301'], "Column 'a' holds numbers that look like dates (yyyymmdd)"],
  ])('%j', async (cells, start) => {
    const notes = await notesOn(cells);
    expect(notes.length).toBe(1);
    expect(notes[0].startsWith(start)).toBe(true);
  });

  it.each([
    [['-9', '-7', '-9', '3']],
    [['999', '998', '999', '250']],
    [['999', '61', '47']],
    [['-9', '-9', '-9']],
    [['20191303', '20190301']],
  ])('are none in %j', async (cells) => expect(await notesOn(cells)).toEqual([]));
});

it('the way that the note says works: -999 is missing beside the usual marks, whatever the format and the digits', async () => {
  const cells = ['-999', '5', 'NA', '-999.0'];
  const [note] = await notesOn(cells);
  expect(note).toContain("If it means missing, pass `alsoMissing: ['-999']`.");
  expect(await notesOn(cells, { alsoMissing: ['-999'] })).toEqual([]);
  const csv = await readTable(write('m.csv', `a,b,y\n${cells.join(',1,0\n')},1,1\n`), {
    ...{ target: 'y', alsoMissing: ['-999'] },
  });
  expect(csv.X.a).toEqual(Float64Array.of(Number.NaN, 5, Number.NaN, Number.NaN));
  expect(csv.info.missingMarks).toEqual({ '-999': 1, NA: 1, '-999.0': 1 });
  const lines = '{"a":-999,"y":0}\n{"a":5,"y":0}\n{"a":"NA","y":1}\n{"a":"-999","y":1}\n';
  const json = await readTable(write('m.jsonl', lines), { target: 'y', alsoMissing: ['-999'] });
  expect(json.X.a).toEqual(Float64Array.of(Number.NaN, 5, Number.NaN, Number.NaN));
  expect(json.info.missingMarks).toEqual({ '-999': 2, NA: 1 });
});

it('tells classes that are written in several ways, and of others nothing', async () => {
  const of = async (answers: string[]) =>
    (
      await readTable(write(`c${files++}.csv`, `a,y\n${answers.map((each) => `1,${each}`).join('\n')}\n`), {
        target: 'y',
      })
    ).info.notes;
  expect(await of(['yes', 'Yes', 'YES', 'no', 'No', 'un known', 'unknown', 'grade 01', 'grade 1'])).toEqual([
    "Target 'y': 3 classes are written in several ways (capitals or blanks), and each way counts as a class of its own.",
  ]);
  expect(await of(['yes', 'no', 'yes'])).toEqual([]);
  expect(await of(['1', '0'])).toEqual([]);
  expect(await of(['TRUE', 'true', 'False'])).toEqual([]);
});

it('tells sites that are written in several ways', async () => {
  const text = 'ward,a,y\nWard 1,1,0\nWARD 1,2,1\nWard 2,2,1\n';
  const { info } = await readTable(write('s.csv', text), { target: 'y', sites: 'ward' });
  expect(info.notes[0]).toContain("Column 'ward': 1 id is written in several ways");
});

it('tells ids that are written in several ways, and of others nothing', async () => {
  const text = 'p,a,y\nP01,1,0\np 1,2,1\nP2,2,1\nP20,2,1\nP200,3,0\n';
  const { info, groups } = await readTable(write('p.csv', text), { target: 'y', groups: 'p' });
  expect(groups).toEqual(['P01', 'p 1', 'P2', 'P20', 'P200']);
  expect(info.notes).toEqual([
    "Column 'p': 1 id is written in several ways (capitals, blanks or zeros before a number), and each way counts as an id of its own.",
  ]);
});
