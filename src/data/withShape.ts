import { passedAs, type Rows, rowsOf } from './rows.js';

/** The rows with the shape of one, or of one of each input, for which the first row is read where only reading tells. */
export async function withShape(X: Rows): Promise<Rows> {
  if (X.rowShape || (X.parts && X.kind !== 'source')) return X;
  if (X.parts) {
    const parts: [string, Rows][] = [];
    for (const [input, part] of Object.entries(X.parts)) parts.push([input, await withShape(part)]);
    const rows = rowsOf(Object.fromEntries(parts));
    passedAs(rows, X);
    return rows;
  }
  const { kind, rowShape } = rowsOf(await X.take(Int32Array.of(0)).toShaped());
  return rowShape && kind !== 'records' ? shaped(X, rowShape) : X;
}

function shaped(X: Rows, rowShape: readonly number[]): Rows {
  const rows = Object.freeze({ ...X, rowShape, take: (indices: Int32Array) => shaped(X.take(indices), rowShape) });
  passedAs(rows, X);
  return rows;
}
