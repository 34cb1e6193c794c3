/** Rows that are prepared when they are read. */
import type { Column, Rows } from '../data/rows.js';

/**
 * `X` after `prepare`: rows of a source at every reading, so that they never are in memory as a whole, others once.
 *
 * @param like rows that were prepared, for their kind, shape and names
 */
export function whenRead(
  X: Rows,
  like: Pick<Rows, 'kind' | 'rowShape' | 'featureNames'>,
  prepare: (rows: Rows) => Promise<Rows>,
): Rows {
  let known: Promise<Rows> | undefined;
  const rows = () => {
    if (X.kind === 'source') return prepare(X);
    known ??= prepare(X);
    return known;
  };
  return Object.freeze({
    length: X.length,
    kind: X.kind === 'source' ? 'source' : like.kind,
    featureNames: like.featureNames,
    rowShape: like.rowShape,
    ...(X.window === undefined ? {} : { window: X.window }),
    take: (indices: Int32Array) => whenRead(X.take(indices), like, prepare),
    toArrays: async () => (await rows()).toArrays(),
    toColumns: async (): Promise<readonly Column[]> => (await rows()).toColumns(),
    toDense: async () => (await rows()).toDense(),
    toInputs: async () => (await rows()).toInputs(),
  });
}
