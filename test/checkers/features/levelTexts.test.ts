import { describe, expect, it } from 'vitest';
import { type CheckParts, checkInput } from '../../../src/checkers/checkInput.js';
import { levelTexts } from '../../../src/checkers/features/levelTexts.js';
import { rowsOf } from '../../../src/data/rows.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';

/** 20 patients of five rows each. */
const N = 100;
const patient = Array.from({ length: N }, (_, row) => `p${Math.floor(row / 5)}`);

/** How the levels of a text column are printed, in the order of the alphabet. */
async function printed(textOf: (row: number) => string, rest: Partial<CheckParts> = {}, name = 'x'): Promise<string[]> {
  const X = rowsOf(Array.from({ length: N }, (_, row) => ({ age: row % 7, [name]: textOf(row) })));
  const input = checkInput({ folds: foldsOf(new KFold(), N), X, data: { groups: patient }, ...rest });
  const [, column] = (await input.features()).columns;
  const textOfLevel = (await levelTexts(input))(column);
  return (column.levels ?? []).map((_, code) => textOfLevel(code));
}

/** `rare` in the rows below `rows`, else `common`. */
const rareBelow = (rows: number) => (row: number) => (row < rows ? 'rare' : 'common');

describe('levelTexts', () => {
  it('prints no text of a cell, however many rows and patients have it, as it may be a name', async () => {
    for (const given of [{}, { data: {} }, { data: {}, independentRows: true }]) {
      expect(await printed((row) => (row < 25 ? 'Doe' : 'Roe'), given)).toEqual([
        'level 2 of 2 in order of frequency (25 % of rows)',
        'level 1 of 2 in order of frequency (75 % of rows)',
      ]);
    }
  });

  it('numbers levels by their frequency, not by the alphabet', async () => {
    const text = (row: number) => (row < 20 ? 'a' : row < 24 ? 'b' : row < 28 ? 'c' : 'd');
    expect(await printed(text, { data: {} })).toEqual([
      'level 2 of 4 in order of frequency (20 % of rows)',
      'level 3 of 4 in order of frequency (4 % of rows)',
      'level 4 of 4 in order of frequency (4 % of rows)',
      'level 1 of 4 in order of frequency (72 % of rows)',
    ]);
  });

  it('prints no level of what may be an id, and any with revealIds', async () => {
    const centre = (row: number) => `centre ${row % 2}`;
    expect(await printed(centre, {}, 'case_id')).toEqual(['level 1 of 2 (20 patients)', 'level 2 of 2 (20 patients)']);
    const hierarchy = { ward: Array.from({ length: N }, (_, row) => row % 2) };
    expect((await printed(centre, { data: { groups: patient, hierarchy } }))[0]).toMatch(/^level 1 of 2/);
    expect(await printed(rareBelow(1), { revealIds: true }, 'case_id')).toEqual([
      'common (99 % of rows)',
      'rare (1 % of rows)',
    ]);
  });
});
