import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenCells } from '../../../src/stats/subgroupTable.js';

const hide = (sizes: number[], lines = [sizes.map((_, at) => at)]) => {
  const counts = sizes.map((n) => [n]);
  return [...hiddenCells(counts, lines, 10)].sort((a, b) => a - b);
};

describe('hiddenCells', () => {
  it('hides small cells and, beside a lone one, the smallest other', () => {
    expect(hide([40, 30, 20])).toEqual([]);
    expect(hide([40, 4, 20])).toEqual([1, 2]);
    expect(hide([3, 50])).toEqual([0, 1]);
  });

  it('hides one more where the hidden ones together are small', () => {
    expect(hide([40, 4, 3, 20])).toEqual([1, 2, 3]);
    expect(hide([40, 6, 5, 20])).toEqual([1, 2]);
  });

  it('guards rows and columns of a crossed table', () => {
    // 30 4 / 40 50 / 60 70: the lone 4 could be had from its row and from its column.
    const lines = [
      [0, 1],
      [2, 3],
      [4, 5],
      [0, 2, 4],
      [1, 3, 5],
      [0, 1, 2, 3, 4, 5],
    ];
    expect(hide([30, 4, 40, 50, 60, 70], lines)).toEqual([0, 1, 2, 3]);
  });

  /** The hidden cells of a table are what the published totals leave open: whether any is determined, by elimination. */
  const determined = (lines: number[][], hidden: Set<number>, n: number): number[] => {
    const columns = [...hidden];
    const rows: number[][] = lines.map((line) => columns.map((cell) => (line.includes(cell) ? 1 : 0)));
    const pivots: number[] = [];
    let at = 0;
    for (let column = 0; column < columns.length && at < rows.length; column++) {
      const pivot = rows.findIndex((row, i) => i >= at && Math.abs(row[column]) > 1e-9);
      if (pivot < 0) continue;
      [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
      const scale = rows[at][column];
      rows[at] = rows[at].map((value) => value / scale);
      rows.forEach((row, i) => {
        if (i !== at) rows[i] = row.map((value, j) => value - row[column] * rows[at][j]);
      });
      pivots.push(column);
      at++;
    }
    expect(n).toBeGreaterThan(0);
    return pivots.flatMap((column, row) =>
      rows[row].filter((value) => Math.abs(value) > 1e-9).length === 1 ? [columns[column]] : [],
    );
  };

  it('leaves no hidden cell of a one-way table that the total gives away', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 8 }), (sizes) => {
        const all = sizes.map((_, at) => at);
        const hidden = hiddenCells(
          sizes.map((n) => [n]),
          [all],
          10,
        );
        for (const [cell, n] of sizes.entries()) if (n < 10) expect(hidden.has(cell)).toBe(true);
        expect(determined([all], hidden, sizes.length)).toEqual([]);
      }),
    );
  });

  it('leaves no small cell of a two-way table that rows, columns and the total give away', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 12, maxLength: 12 }), (sizes) => {
        const lines = [
          ...[0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => 4 * row + column)),
          ...[0, 1, 2, 3].map((column) => [0, 1, 2].map((row) => 4 * row + column)),
          sizes.map((_, at) => at),
        ];
        const hidden = hiddenCells(
          sizes.map((n) => [n]),
          lines,
          10,
        );
        // Whole lines may be hidden; then their total is small or made of hidden cells alone.
        const found = determined(lines, hidden, sizes.length).filter((cell) => sizes[cell] < 10);
        expect(found).toEqual([]);
      }),
    );
  });
});
