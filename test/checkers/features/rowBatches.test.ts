import { expect, it } from 'vitest';
import { rowBatches } from '../../../src/checkers/features/rowBatches.js';
import { rowsOf } from '../../../src/data/rows.js';
import { withShape } from '../../../src/data/withShape.js';

it('few large images are read at a time, of a source and of memory', async () => {
  const imagesOf = (n: number) => ({ data: new Uint8Array(n * 2 ** 20), shape: [n, 1024, 1024, 1] });
  const source = { length: 9, take: (rows: Int32Array) => imagesOf(rows.length) };
  for (const X of [source, imagesOf(9)]) {
    const rows = await withShape(rowsOf(X));
    expect([...rowBatches(rows)].map((batch) => [batch.from, batch.rows.length])).toEqual([
      [0, 4],
      [4, 4],
      [8, 1],
    ]);
  }
  const table = { length: 600, take: (rows: Int32Array) => Array.from(rows, (row) => [row]) };
  expect([...rowBatches(await withShape(rowsOf(table)))].map(({ from }) => from)).toEqual([0, 256, 512]);
});
