import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { readTable } from '../../src/table/index.js';
import { rejection } from '../helpers/failure.js';
import { tempFolder } from '../helpers/tempFolder.js';

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

  it('stand in a note where each of many rows has another one, which is no id', async () => {
    const rows = Array.from({ length: 40 }, (_, row) => `${row}.5%,${row % 7},${row % 2}`);
    const { info } = await readTable(write('percent.csv', `a,b,y\n${rows.join('\n')}\n`), { target: 'y' });
    expect(info.columns[0].type).toBe('text');
    expect(info.notes[0]).toContain("Column 'a' holds texts that look like numbers (first in line 2)");
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
    [['99', '-2', '7', '99', '99'], "Column 'a' holds 99 in 3 rows and else much smaller numbers."],
    [['9', '1', '5', '9', '2', '9'], "Column 'a' holds 9 in 3 rows and else much smaller numbers."],
    [['99', '18', '89', '99', '54', '99'], "Column 'a' holds 99 in 3 rows and else much smaller numbers."],
    [['9999', '120', '6000', '9999', '9999'], "Column 'a' holds 9999 in 3 rows and else much smaller numbers."],
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
    [['9', '4', '9', '1']],
    [['9', '7', '9', '9']],
    [['0', '9', '3', '8', '9', '9']],
    [['99', '91', '60', '99', '99']],
    [['33', '66', '99', '99', '0', '99']],
    [['99', '20', '99', '89']],
  ])('are none in %j', async (cells) => expect(await notesOn(cells)).toEqual([]));
});

describe('zeros that no living patient has', () => {
  const random = randomSource(3);
  const of = async (name: string, cellOf: (row: number) => number) => {
    const rows = Array.from({ length: 60 }, (_, row) => `${cellOf(row)},${row % 7},${row % 2}`);
    const { info } = await readTable(write(`z${files++}.csv`, `${name},b,y\n${rows.join('\n')}\n`), { target: 'y' });
    return info.notes.filter((note) => note.includes(' 0 in '));
  };
  /** A measurement, and 0 in every `nth` row. */
  const measured = (from: number, to: number, nth: number) => (row: number) =>
    row % nth === 0 ? 0 : Math.round(from + (to - from) * random.random());

  it.each([
    ['Insulin', 14, 300, 2],
    ['Glucose', 44, 199, 30],
    ['BloodPressure', 24, 122, 20],
    ['pressure', 24, 122, 20],
    ['SkinThickness', 7, 60, 3],
    ['BMI', 18, 67, 60],
    ['trestbps', 94, 200, 60],
    ['RestingBP', 94, 200, 60],
    ['Cholesterol', 85, 603, 5],
    ['heart_rate', 40, 120, 10],
    ['weight_kg', 40, 130, 10],
  ])('are asked about in %s', async (name, from, to, nth) => {
    const [note] = await of(name, measured(from, to, nth));
    expect(note).toBe(
      `Column '${name}' holds 0 in ${60 / nth} row${nth === 60 ? '' : 's'} and else numbers well above 0. If it means missing, pass \`alsoMissing: { '${name}': [0] }\`.`,
    );
  });

  it.each<[string, string, (row: number) => number]>([
    ['a dose', 'insulin_dose', measured(20, 60, 3)],
    ['a change', 'weight_loss', measured(1, 20, 5)],
    ['counts', 'pregnancies', (row) => row % 12],
    ['a count below such a name', 'pressure_ulcers', (row) => row % 12],
    ['classes', 'chol', (row) => row % 4],
    ['yes and no', 'high_blood_pressure', (row) => row % 2],
    ['z scores', 'bmi', (row) => (row - 30) / 10],
    ['a marker that reaches 0', 'insulin', (row) => row / 10],
    ['a column without zeros', 'glucose', (row) => 60 + row],
    ['another column', 'oldpeak', measured(1, 6, 2)],
    ['cigarettes', 'cigarettes', measured(5, 40, 2)],
  ])('are none in %s', async (_, name, cellOf) => expect(await of(name, cellOf)).toEqual([]));

  it('become missing as the note says, in that column alone', async () => {
    const text = `glucose,lesions,y\n${Array.from({ length: 12 }, (_, row) => `${row ? 80 + row : 0},${row % 3},${row % 2}`).join('\n')}\n`;
    const { X, info } = await readTable(write('g.csv', text), { target: 'y', alsoMissing: { glucose: 0 } });
    expect([X.glucose[0], X.lesions[0], info.missingMarks]).toEqual([Number.NaN, 0, { '0': 1 }]);
    const wrong = readTable(write('g.csv', text), { target: 'y', alsoMissing: { glucos: [0] } });
    expect(await rejection(wrong)).toMatch(/^unknown_column: The `alsoMissing` option of readTable .*'glucose'/);
  });

  it('and codes are none in columns without them: ages up to 99, counts with many zeros', async () => {
    const source = randomSource(8);
    for (let round = 0; round < 40; round++) {
      const rows = Array.from({ length: 200 }, (_, row) => {
        const age = Math.min(99, Math.round(40 + 60 * source.random() ** 0.6));
        const count = Math.floor(-Math.log(source.random()) * 2.5);
        const nodes = Math.floor(12 * source.random() ** 4);
        return `${age},${count},${nodes},${90 + Math.floor(10 * source.random())},${Math.floor(1000 * source.random())},${row % 2}`;
      });
      const text = `age,visits,nodes,spo2,platelets,y\n${rows.join('\n')}\n`;
      expect((await readTable(write('n.csv', text), { target: 'y' })).info.notes).toEqual([]);
    }
  });
});

it('the way that the note says works: -999 is missing beside the usual marks, whatever the format and the digits', async () => {
  const cells = ['-999', '5', 'NA', '-999.0'];
  const [note] = await notesOn(cells);
  expect(note).toContain("If it means missing, pass `alsoMissing: { 'a': [-999] }`.");
  for (const alsoMissing of [['-999'], { a: [-999] }, { a: ['-999'] }]) {
    expect(await notesOn(cells, { alsoMissing })).toEqual([]);
  }
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
