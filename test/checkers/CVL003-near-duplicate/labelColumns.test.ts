import { describe, expect, it } from 'vitest';
import { labelColumns } from '../../../src/checkers/CVL003-near-duplicate/labelColumns.js';
import type { Column } from '../../../src/checkers/features/columns.js';

const rows = Int32Array.from({ length: 12 }, (_, row) => row);
const column = (name: string, numberOf: (row: number) => number, kind: Column['kind'] = 'number'): Column => ({
  name,
  kind,
  values: Float64Array.from(rows, numberOf),
});
const named = (...columns: Column[]) => [...labelColumns(columns, rows)].map(({ name }) => name);
const town = column('income', (row) => (row % 4) * 1.7);

describe('labelColumns', () => {
  it('finds columns that repeat together, whatever their order', () => {
    const own = column('age', (row) => row);
    expect(
      named(
        town,
        own,
        column('distance', (row) => [9, 2, 5, 7][row % 4]),
      ),
    ).toEqual(['income', 'distance']);
    expect(named(town, own)).toEqual([]);
    expect(
      named(
        town,
        own,
        column('other', (row) => row % 3),
      ),
    ).toEqual([]);
    // Text is a label as it is.
    expect(
      named(
        town,
        own,
        column('name', (row) => row % 4, 'category'),
      ),
    ).toEqual([]);
  });

  it('leaves numbers that hardly repeat, and tables in which all columns repeat together', () => {
    expect(
      named(
        column('a', (row) => row >> 1),
        column('b', (row) => row % 7),
        column('c', (row) => row % 7),
      ),
    ).toEqual([]);
    expect(
      named(
        town,
        column('distance', (row) => row % 4),
      ),
    ).toEqual([]);
  });
});
