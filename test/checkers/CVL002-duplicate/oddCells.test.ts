import { describe, expect, it } from 'vitest';
import { unusableCells } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { rowsOf } from '../../../src/data/rows.js';

const said = async (X: object[]) => unusableCells(await readFeatures(rowsOf(X)));

describe('oddCells', () => {
  it('names columns of objects and lists', async () => {
    expect(
      await said([
        { a: { b: 1 }, c: [1, 2], d: 3 },
        { a: { b: 2 }, c: null, d: 4 },
      ]),
    ).toBe(' `a`, `c` have objects or lists as cells, which are compared as text: give each of their values a column.');
  });

  it('names columns of infinite and of very large numbers, of either sign', async () => {
    const text =
      ' `feature 1` has numbers that are infinite or above 1e154, of which no mean or variance can be taken: mend them.';
    for (const odd of [Infinity, -Infinity, 1e308, -1e200]) {
      expect(
        await said([
          [1, odd],
          [2, 4],
        ]),
      ).toBe(text);
    }
  });

  it('names columns of numbers with texts among them, but not those with limits or marks of missing values', async () => {
    const X = Array.from({ length: 100 }, (_, row) => ({
      psa: row === 7 ? 'haemolysed' : row / 8,
      crp: row === 7 ? '<0.5' : row / 8,
      age: row === 7 ? 'n/a' : 20 + row,
    }));
    expect(await said(X)).toBe(
      ' `psa` has texts among numbers, which count as missing cells: write numbers, or leave them empty.',
    );
  });

  it('counts columns beyond the third', async () => {
    expect(await said([new Array(5).fill(Infinity)])).toContain('`feature 2` and 2 more have numbers');
  });

  it('has nothing to say of missing cells, text, dates and large numbers that have a square', async () => {
    const row = { a: Number.NaN, b: null, c: 'text', d: new Date(0), e: 1e150, f: true, g: '' };
    expect(await said([row, { ...row, a: 1 }])).toBe('');
  });
});
