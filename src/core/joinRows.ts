import { InvalidDataError, sentence } from './errors.js';
import type { Dense, NumericArray, Rows } from './rows.js';

/** The rows of `a` followed by those of `b`, as one view. Nothing is copied until it is read. */
export function joinRows(a: Rows, b: Rows): Rows {
  const columns = ({ featureNames }: Rows) => featureNames?.join(', ') ?? 'columns without names';
  if (columns(a) !== columns(b)) {
    throw new InvalidDataError(
      sentence('The test rows', `have the columns of the training rows in the same order (${columns(a)})`, {
        text: columns(b),
      }),
      { code: 'column_mismatch' },
    );
  }
  if (a.rowShape && b.rowShape && a.rowShape.join() !== b.rowShape.join()) {
    throw new InvalidDataError(
      sentence('The test rows', `have the shape of the training rows, [${a.rowShape}]`, { text: `[${b.rowShape}]` }),
    );
  }
  const all = Int32Array.from({ length: a.length + b.length }, (_, row) => row);
  return picked(a, b, all);
}

function picked(a: Rows, b: Rows, rows: Int32Array): Rows {
  const ofA = rows.filter((row) => row < a.length);
  const ofB = rows.filter((row) => row >= a.length).map((row) => row - a.length);
  return {
    length: rows.length,
    kind: a.kind,
    featureNames: a.featureNames,
    rowShape: a.rowShape ?? b.rowShape,
    take: (indices) =>
      picked(
        a,
        b,
        indices.map((i) => rows[i]),
      ),
    async toArrays() {
      const [first, second] = [await a.take(ofA).toArrays(), await b.take(ofB).toArrays()];
      return merge(
        rows,
        a.length,
        (at) => first[at],
        (at) => second[at],
      );
    },
    async toDense(): Promise<Dense> {
      if (ofB.length === 0) return a.take(ofA).toDense();
      if (ofA.length === 0) return b.take(ofB).toDense();
      const [first, second] = [await a.take(ofA).toDense(), await b.take(ofB).toDense()];
      const width = first.data.length / ofA.length;
      const Numbers = first.data.constructor === second.data.constructor ? first.data.constructor : Float64Array;
      const data = new (Numbers as { new (n: number): NumericArray })(rows.length * width);
      const part = (from: NumericArray) => (at: number) => from.subarray(at * width, (at + 1) * width);
      merge(rows, a.length, part(first.data), part(second.data)).forEach((row, i) => {
        data.set(row, i * width);
      });
      return { data, shape: [rows.length, ...first.shape.slice(1)] };
    },
  };
}

function merge<T>(rows: Int32Array, nA: number, fromA: (at: number) => T, fromB: (at: number) => T): T[] {
  let a = 0;
  let b = 0;
  return Array.from(rows, (row) => (row < nA ? fromA(a++) : fromB(b++)));
}
