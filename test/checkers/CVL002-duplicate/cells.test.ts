import { describe, expect, it } from 'vitest';
import { cellColumns, keyAt, numberKey } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { rowsOf } from '../../../src/data/rows.js';

const columnsOf = async (X: unknown[]) => cellColumns(await readFeatures(rowsOf(X as object[])));

describe('cellColumns', () => {
  it('reads numbers as a float32 holds them, and integers as they are', () => {
    expect(numberKey(0.1)).toBe(numberKey(Math.fround(0.1)));
    expect(numberKey(2 ** 24 + 1)).toBe(2 ** 24 + 1);
    expect(Object.is(numberKey(-0), 0)).toBe(true);
    // Beyond what a float32 holds, numbers stay apart.
    expect(new Set([1.5e300, 2.5e300, 1.5e-300, 2.5e-300, Infinity, -Infinity].map(numberKey)).size).toBe(6);
    expect(numberKey(Number.NaN)).toBeNaN();
  });

  it('reads text without case, blanks, invisible characters and ways to write a letter', async () => {
    const texts = ['yes', ' Yes', 'YES\u200b', '\ufeffyes', 'ｙｅｓ', 'no', 'NaN', ''];
    const [column] = await columnsOf(texts.map((answer) => ({ answer })));
    const keys = texts.map((_, row) => keyAt(column, row));
    expect(new Set(keys.slice(0, 5)).size).toBe(1);
    expect(keys[5]).not.toBe(keys[0]);
    expect(keys.slice(6)).toEqual([Number.NaN, Number.NaN]);
    const mixed = await columnsOf([{ a: '1.0 ' }, { a: 1 }, { a: 'one' }]);
    expect(keyAt(mixed[0], 0)).toBe(keyAt(mixed[0], 1));
  });

  it('joins dummies, leaves constants out, and lets ids and times free', async () => {
    const stages = ['a', 'b', 'c'];
    const X = Array.from({ length: 60 }, (_, row) => ({
      record: 100 + row,
      constant: 5,
      ...Object.fromEntries(stages.map((stage, at) => [`stage_${stage}`, Number(row % 3 === at)])),
      value: Math.sin(row),
    }));
    const columns = await columnsOf(X);
    expect(columns.map(({ columns: of, free }) => [of.map(({ name }) => name), free])).toEqual([
      [['record'], true],
      [['value'], false],
      [['stage_a', 'stage_b', 'stage_c'], false],
    ]);
    // Alone, a counter is what there is to compare.
    expect((await columnsOf(X.map(({ record }) => [record]))).map(({ free }) => free)).toEqual([false]);
  });
});
