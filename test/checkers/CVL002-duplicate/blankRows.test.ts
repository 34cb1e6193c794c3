import { describe, expect, it } from 'vitest';
import { blankRows } from '../../../src/checkers/CVL002-duplicate/blankRows.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { type RowsInput, rowsOf } from '../../../src/data/rows.js';

const blanks = async (X: RowsInput) => [...blankRows(await readFeatures(rowsOf(X)))];
const image = (of: (at: number) => number) =>
  Array.from({ length: 16 }, (_, y) => Array.from({ length: 16 }, (_, x) => of(16 * y + x)));

describe('blankRows', () => {
  it('are rows without any value and images of one colour, but no rows of zeros or of one answer', async () => {
    expect(
      await blanks([
        [null, null],
        [1, 1],
        [null, 2],
      ]),
    ).toEqual([1, 0, 0]);
    expect(
      await blanks([
        [0, 0, 0, 0],
        [5, null, 5, 5],
        [null, null, null, null],
      ]),
    ).toEqual([0, 0, 1]);
    expect(await blanks([image(() => 3), image((at) => at)])).toEqual([1, 0]);
  });

  it('a black image beside a full row is none', async () => {
    const scan = [image(() => 0), image(() => 0), image((at) => at)];
    expect(
      await blanks({
        scan,
        clinical: [
          [1, 2],
          [null, null],
          [null, null],
        ],
      }),
    ).toEqual([0, 1, 0]);
  });
});
