import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellColumns, isAlike, keyAt } from '../../../src/checkers/CVL002-duplicate/cells.js';
import { mostDiffering, pairsButFew, partsOf } from '../../../src/checkers/CVL002-duplicate/pairsButFew.js';
import { addColumn, emptyHash } from '../../../src/checkers/features/contentHash.js';

describe('pairsButFew', () => {
  it('finds what comparing every pair of rows finds', async () => {
    const cell = fc.constantFrom(0, -0, 1, 2, 3.1, Math.fround(3.1), Number.NaN);
    const row = fc.array(cell, { minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 25 }), async (X) => {
        const columns = cellColumns({
          columns: X[0].map((_, at) => ({ name: `${at}`, kind: 'number', values: Float64Array.from(X, (r) => r[at]) })),
        });
        const most = mostDiffering(columns.length);
        const places = partsOf(
          columns.map(() => 1),
          most + 1,
        );
        const parts = Array.from({ length: most + 1 }, () => emptyHash(X.length));
        columns.forEach((column, at) => {
          addColumn(parts[places[at]], { values: column.values.map((_, row) => keyAt(column, row)) }, at);
        });
        const rows = Int32Array.from(X.keys());
        const { pairs, complete } = await pairsButFew(columns, parts, rows, () => true);
        expect(complete).toBe(true);
        const found = pairs.map(({ first, second, differing }) => `${first} ${second} ${differing}`);
        const expected: string[] = [];
        for (let i = 0; i < X.length; i++) {
          for (let j = i + 1; j < X.length; j++) {
            const count = columns.filter((column) => !isAlike(column, i, j)).length;
            if (count > 0 && count <= most) expected.push(`${i} ${j} ${count}`);
          }
        }
        expect(found.sort()).toEqual(expected.sort());
      }),
    );
  });

  it('lets a copy differ in less than half of the columns', () => {
    expect([1, 2, 3, 4, 5, 6, 60].map(mostDiffering)).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('shares columns out by what they tell', () => {
    expect(partsOf([5, 4, 3, 3, 2, 1], 3)).toEqual([0, 1, 2, 2, 1, 0]);
  });
});
