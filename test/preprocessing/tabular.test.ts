import { describe, expect, it } from 'vitest';
import { portableRows, rowsFrom } from '../../src/data/portable.js';
import { rowsOf } from '../../src/data/rows.js';
import { asCodes } from '../../src/data/tableColumns.js';
import { tabular } from '../../src/preprocessing/tabular.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { matrix } from '../helpers/matrix.js';
import { thrown } from '../helpers/thrown.js';
import { type Case, expectCells } from '../helpers/transformerCases.js';
import reference from '../reference/transformers.json' with { type: 'json' };

const agesOf = (n: number) => Array.from({ length: n }, (_, row) => 30 + ((row * 7) % 45));
const codeOf = async (work: () => unknown) => /\((\w+)\)/.exec(String(await thrown(work)))?.[1];

describe('tabular', () => {
  it('is the ColumnTransformer of scikit-learn that it says', async () => {
    const { fit, later, fitted, transformed, names } = reference.tabular as unknown as Case;
    const made = tabular();
    expectCells(await made.fitTransform(fit), fitted);
    expectCells(await made.transform(later), transformed as never);
    const ours = names.map((name) => name.replace(/^num/, 'numeric').replace(/^cat/, 'categorical'));
    expect(made.getFeatureNamesOut()).toEqual(ours);
    const again = transformerFromJSON(JSON.parse(JSON.stringify(made))) as typeof made;
    expect(await again.transform(later)).toEqual(await made.transform(later));
    expect(again.describe()).toBe('tabular()');
  });

  it('refuses a column that may be an id, by its name', async () => {
    const records = Array.from({ length: 60 }, (_, row) => ({ age: row, note: `text ${row}` }));
    expect((await tabular({ maxLevels: 60 }).fitTransform(records))[0]).toHaveLength(61);
  });

  it('takes numbers alone, and text alone', async () => {
    expect(await tabular().fitTransform([[1], [3]])).toEqual([[-1], [1]]);
    expect(await tabular().fitTransform([['a'], ['b']])).toEqual(matrix('1 0 | 0 1'));
  });

  it('reads numbers that are written as text as the numbers that they are', async () => {
    const ages = agesOf(90);
    const later = { age: [31, 80] };
    const asNumbers = tabular();
    const wanted = await asNumbers.fitTransform({ age: ages });
    for (const write of [String, (age: number) => ` ${age}.0`, (age: number) => `${age}e0`]) {
      const made = tabular();
      expect(await made.fitTransform({ age: ages.map(write) })).toEqual(wanted);
      expect(made.getFeatureNamesOut()).toEqual(['numeric__age']);
      expect(await made.transform({ age: later.age.map(write) })).toEqual(await asNumbers.transform(later));
      expect(await made.transform(later)).toEqual(await asNumbers.transform(later));
      const again = transformerFromJSON(JSON.parse(JSON.stringify(made))) as typeof made;
      expect(await again.transform({ age: later.age.map(write) })).toEqual(await asNumbers.transform(later));
    }
    const holes = (mark: unknown) => ages.map((age, row) => (row % 9 === 0 ? mark : String(age)));
    const missing = await tabular().fitTransform({ age: ages.map((age, row) => (row % 9 === 0 ? Number.NaN : age)) });
    for (const mark of ['', ' ', 'NA', '?', null, Number.NaN]) {
      expect(await tabular().fitTransform({ age: holes(mark) })).toEqual(missing);
    }
    expect(await tabular().fitTransform(ages.map((age) => ({ age: String(age) })))).toEqual(wanted);
    expect(await tabular().fitTransform(ages.map((age) => [String(age)]))).toEqual(wanted);
  });

  it('asks whether few whole numbers as text are amounts or codes, and takes the answer', async () => {
    const stage = Array.from({ length: 40 }, (_, row) => String(1 + (row % 4)));
    const sex = stage.map((_, row) => String(row % 2));
    expect(await codeOf(() => tabular().fit({ stage, sex }))).toBe('numbers_as_text');
    expect((await tabular({ codes: ['stage'] }).fitTransform({ stage, sex }))[0]).toHaveLength(5);
    expect((await tabular({ codes: [] }).fitTransform({ stage, sex }))[0]).toHaveLength(2);
    expect((await tabular({ codes: ['stage'] }).fitTransform({ stage: stage.map(Number) }))[0]).toHaveLength(4);
    expect(await codeOf(() => tabular({ codes: ['stages'] }).fit({ stage, sex }))).toBe('unknown_column');
    const made = tabular({ codes: ['stage'] });
    expect(made.describe()).toBe("tabular({ codes: ['stage'] })");
    expect(made.clone().describe()).toBe(made.describe());
    const zip = stage.map((_, row) => `0${1000 + (row % 30)}`);
    expect(await codeOf(() => tabular().fit({ zip }))).toBe('numbers_as_text');
  });

  it('does not ask about columns that were read as categories, here or in another thread', async () => {
    const X = { stage: asCodes(Array.from({ length: 40 }, (_, row) => String(1 + (row % 4)))), age: agesOf(40) };
    const rows = rowsOf(X);
    const half = rows.take(Int32Array.from({ length: 20 }, (_, at) => 39 - at));
    const elsewhere = rowsFrom(structuredClone(await portableRows(rows)));
    expect(await elsewhere.toArrays()).toEqual(await rows.toArrays());
    for (const [each, width] of [
      [X, 5],
      [rows, 5],
      [half, 5],
      [elsewhere, 5],
      [elsewhere.take(Int32Array.of(0, 1, 2)), 4],
    ] as const) {
      expect((await tabular().fitTransform(each))[0]).toHaveLength(width);
    }
    expect((await tabular({ codes: [] }).fitTransform(X))[0]).toHaveLength(5);
    expect(await codeOf(() => tabular().fit({ ...X, stage: X.stage.slice() }))).toBe('numbers_as_text');
  });

  it('asks about amounts as text with a few words among them, and about no codes', async () => {
    const rows = (n: number, cell: (row: number) => string) => ({
      a: Array.from({ length: n }, (_, row) => cell(row)),
    });
    for (const word of ['unknown', 'ND', '-', 'pending', 'missing', 'not done']) {
      const ages = rows(200, (row) => (row % 9 ? String(30 + (row % 40)) : word));
      expect(await codeOf(() => tabular().fit(ages))).toBe('numbers_as_text');
      expect(await codeOf(() => tabular({ codes: [] }).fit(ages))).toBe('numbers_as_text');
      expect((await tabular({ codes: ['a'] }).fitTransform(ages))[0]).toHaveLength(41);
      const labs = rows(90, (row) => (row % 9 ? (0.7 + (row % 12) / 10).toFixed(1) : word));
      expect(await codeOf(() => tabular().fit(labs))).toBe('numbers_as_text');
    }
    // Whole numbers of few kinds: amounts or codes, with a word as without one.
    for (const kinds of [
      ['1', '2', '3', '4', 'unknown'],
      ['10', '20', '30', 'pending'],
      ['0', '1', '2', 'low', '5'],
    ]) {
      const grades = rows(60, (row) => kinds[row % kinds.length]);
      expect(await codeOf(() => tabular().fit(grades))).toBe('numbers_as_text');
      expect((await tabular({ codes: ['a'] }).fitTransform(grades))[0]).toHaveLength(kinds.length);
    }
    const several = rows(200, (row) => ['low', 'high', 'unknown'][row % 9] ?? (5 + (row % 37) / 10).toFixed(1));
    expect(await codeOf(() => tabular().fit(several))).toBe('numbers_as_text');
    for (const [kinds, width] of [
      [['1', '2', 'unknown'], 3],
      [['<5.7%', '5.7-6.4%', '>=6.5%'], 3],
      [['>200', '>300', 'Norm', 'None'], 4],
    ] as const) {
      const coded = rows(60, (row) => kinds[row % kinds.length]);
      expect((await tabular().fitTransform(coded))[0]).toHaveLength(width);
    }
  });

  it('names the row of what is no number among numbers, and makes no category of it', async () => {
    const lab = Array.from({ length: 80 }, (_, row) => (row === 5 ? '<0.1' : `${row / 4}`));
    const error = (await thrown(() => tabular().fit({ lab }))) as string;
    expect(error).toContain('numbers_as_text');
    expect(error).toContain("Row 5 of the column 'lab'");
    const made = tabular();
    await made.fit({ lab: lab.map((cell, row) => (row === 5 ? '0' : cell)) });
    expect(await codeOf(() => made.transform({ lab: ['1', 'high'] }))).toBe('numbers_as_text');
  });
});
