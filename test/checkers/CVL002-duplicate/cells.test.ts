import { describe, expect, it } from 'vitest';
import { cellColumns, keyAt } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { rowsOf } from '../../../src/data/rows.js';

const columnsOf = async (X: object[]) => cellColumns(await readFeatures(rowsOf(X)));
const keysOf = async (cells: readonly unknown[]) => {
  const [column] = await columnsOf(cells.map((cell) => ({ cell })));
  return cells.map((_, row) => keyAt(column, row));
};

describe('cells', () => {
  it('are numbers as a float32 holds them, and integers as they are', async () => {
    const numbers = [0.1, Math.fround(0.1), 2 ** 24 + 1, -0, Number.NaN];
    const keys = await keysOf(numbers);
    expect(keys).toEqual([Math.fround(0.1), Math.fround(0.1), 2 ** 24 + 1, 0, Number.NaN]);
    // Beyond what a float32 holds, numbers stay apart.
    expect(new Set(await keysOf([1.5e300, 2.5e300, 1.5e-300, 2.5e-300, Infinity, -Infinity])).size).toBe(6);
  });

  it.each([
    [
      'texts in another case, with blanks, invisible or wide letters',
      ['yes', ' Yes', 'YES\u200b', '\ufeffyes', 'ｙｅｓ'],
    ],
    ['a number beside its text', [1, '1', '1.0 ', ' 1']],
    ['ways to have no value', [null, undefined, '', 'NaN', 'n/a', Number.NaN]],
    ['zeros', [0, -0, '0', '-0']],
  ])('are one: %s', async (_, cells) => {
    const [other, ...keys] = await keysOf(['other', ...cells]);
    expect(new Set(keys).size).toBe(1);
    expect(keys).not.toContain(other);
  });

  it('are those of joined dummies, without constants; ids and times may differ', async () => {
    const stages = ['a', 'b', 'c'];
    const X = Array.from({ length: 60 }, (_, row) => ({
      record: 100 + row,
      constant: 5,
      ...Object.fromEntries(stages.map((stage, at) => [`stage_${stage}`, Number(row % 3 === at)])),
      value: Math.sin(row),
    }));
    expect((await columnsOf(X)).map(({ columns, free }) => [columns.map(({ name }) => name), free])).toEqual([
      [['record'], true],
      [['value'], false],
      [['stage_a', 'stage_b', 'stage_c'], false],
    ]);
    // Alone, a counter is what there is to compare.
    expect((await columnsOf(X.map(({ record }) => [record]))).map(({ free }) => free)).toEqual([false]);
  });
});
