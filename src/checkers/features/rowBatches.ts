/** Rows block by block. */
import type { Rows } from '../../data/rows.js';

/** Rows read at a time, so that no second copy of large data stands beside them. */
const BLOCK = { source: 256, memory: 16_384 };

export const batchOf = (X: Rows): number => X.window ?? (X.kind === 'source' ? BLOCK.source : BLOCK.memory);

export function* rowBatches(X: Rows): Generator<{ readonly from: number; readonly rows: Rows }> {
  const size = batchOf(X);
  for (let from = 0; from < X.length; from += size) {
    const length = Math.min(size, X.length - from);
    yield { from, rows: X.take(new Int32Array(length).map((_, at) => from + at)) };
  }
}
