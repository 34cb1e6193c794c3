/** Rows block by block. */
import { product } from '../../data/dense.js';
import type { Rows } from '../../data/rows.js';

/** Rows read at a time, so that no second copy of large data stands beside them; fewer where they are large images. */
const BLOCK = { source: 256, memory: 16_384 };
const VALUES = 2 ** 22;

export function batchOf({ window, kind, rowShape = [] }: Rows): number {
  const most = Math.max(1, Math.floor(VALUES / product(rowShape)));
  return window ?? Math.min(kind === 'source' ? BLOCK.source : BLOCK.memory, most);
}

export function* rowBatches(X: Rows): Generator<{ readonly from: number; readonly rows: Rows }> {
  const size = batchOf(X);
  for (let from = 0; from < X.length; from += size) {
    const length = Math.min(size, X.length - from);
    yield { from, rows: X.take(new Int32Array(length).map((_, at) => from + at)) };
  }
}
