/** Rows of what holds numbers alone: `{ data, shape }`, tensors, matrices. */
import { nest, product } from './dense.js';
import { picked } from './nestedLists.js';
import type { FoundAs } from './rowKinds.js';
import type { Dense, NumericArray, RowReader } from './rows.js';

export const denseReader = ({ content }: FoundAs<'dense'>): RowReader =>
  numbersAlone(async (rows) => takeDense(content, rows));

/** A tensor is downloaded once, when it is first read. */
export function tensorReader({ content }: FoundAs<'tensor'>): RowReader {
  const shape = [...content.shape];
  let read: Promise<Dense> | undefined;
  const all = () => {
    read ??= content.data().then((data) => ({ data: data as NumericArray, shape }));
    return read;
  };
  return numbersAlone(async (rows) => takeDense(await all(), rows));
}

export const matrixReader = ({ content: matrix }: FoundAs<'matrix'>): RowReader =>
  numbersAlone(async (rows) => {
    const n = rows ? rows.length : matrix.rows;
    const data = new Float64Array(n * matrix.columns);
    let at = 0;
    for (const row of picked(matrix.rows, rows)) {
      for (let column = 0; column < matrix.columns; column++) data[at++] = matrix.get(row, column);
    }
    return { data, shape: [n, matrix.columns] };
  });

const numbersAlone = (dense: RowReader['dense']): RowReader => ({
  dense,
  arrays: async (rows) => nest(await dense(rows)),
});

function takeDense({ data, shape }: Dense, rows: Int32Array | null): Dense {
  if (!rows) return { data: data.slice(), shape };
  const width = product(shape.slice(1));
  const out = new (data.constructor as { new (n: number): NumericArray })(rows.length * width);
  for (let i = 0; i < rows.length; i++) {
    const from = rows[i] * width;
    if (width < 64) for (let j = 0; j < width; j++) out[i * width + j] = data[from + j];
    else out.set(data.subarray(from, from + width), i * width);
  }
  return { data: out, shape: [rows.length, ...shape.slice(1)] };
}
