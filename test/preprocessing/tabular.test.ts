import { describe, expect, it } from 'vitest';
import { tabular } from '../../src/preprocessing/tabular.js';
import { transformerFromJSON } from '../../src/preprocessing/transformerFromJSON.js';
import { thrown } from '../helpers/thrown.js';
import { type Case, expectCells } from '../helpers/transformerCases.js';
import reference from '../reference/transformers.json' with { type: 'json' };

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
    expect(await tabular().fitTransform([['a'], ['b']])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('reads numbers that are written as text as the numbers that they are', async () => {
    const ages = Array.from({ length: 90 }, (_, row) => 30 + ((row * 7) % 45));
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
