import { InvalidDataError, phrase, sentence } from '../core/errors.js';

import { leastWindow, mapParts } from './rowKinds.js';
import { type Column, type Dense, type NumericArray, type Rows, rowsOf } from './rows.js';

/** The rows of `a` followed by those of `b`, as one view. Nothing is copied until it is read. */
export function joinRows(a: Rows, b: Rows): Rows {
  // What a row source gives is known only once it is read.
  if (!isUnread(a) && !isUnread(b) && columns(a) !== columns(b)) {
    throw mismatch(`have the columns of the training rows in the same order (${columns(a)})`, columns(b));
  }
  if (a.rowShape && b.rowShape) checkShape(a.rowShape, b.rowShape);
  const { parts } = b;
  if (a.parts && parts) return rowsOf(mapParts(a.parts, (part, input) => joinRows(part, parts[input])));
  const all = Int32Array.from({ length: a.length + b.length }, (_, row) => row);
  return picked(a, b, all);
}

const isUnread = ({ kind, parts }: Rows) => kind === 'source' && !parts;

const columns = ({ parts, featureNames }: Rows) =>
  parts ? `the inputs ${Object.keys(parts).join(', ')}` : (featureNames?.join(', ') ?? 'columns without names');

const mismatch = (must: string, text: string) =>
  new InvalidDataError(sentence('The test rows', must, phrase(text)), { code: 'column_mismatch' });

function checkShape(a: readonly number[], b: readonly number[]): void {
  if (a.join() === b.join()) return;
  const subject = 'The test rows';
  throw new InvalidDataError(sentence(subject, `have the shape of the training rows, [${a}]`, phrase(`[${b}]`)));
}

function picked(a: Rows, b: Rows, rows: Int32Array): Rows {
  const ofA = rows.filter((row) => row < a.length);
  const ofB = rows.filter((row) => row >= a.length).map((row) => row - a.length);
  const both = async <T>(read: (part: Rows) => Promise<T>, merged: (first: T, second: T) => T): Promise<T> => {
    if (ofB.length === 0) return read(a.take(ofA));
    if (ofA.length === 0) return read(b.take(ofB));
    return merged(await read(a.take(ofA)), await read(b.take(ofB)));
  };
  const mergeDense = (first: Dense, second: Dense): Dense => {
    checkShape(first.shape.slice(1), second.shape.slice(1));
    const width = first.data.length / ofA.length;
    const Numbers = first.data.constructor === second.data.constructor ? first.data.constructor : Float64Array;
    const data = new (Numbers as { new (n: number): NumericArray })(rows.length * width);
    const part = (from: NumericArray) => (at: number) => from.subarray(at * width, (at + 1) * width);
    merge(rows, a.length, part(first.data), part(second.data)).forEach((row, i) => {
      data.set(row, i * width);
    });
    return { data, shape: [rows.length, ...first.shape.slice(1)] };
  };
  const mergeColumn = (first: Column, second: Column): Column => {
    const cells = merge<unknown>(
      rows,
      a.length,
      (at) => first[at],
      (at) => second[at],
    );
    const numbers = first instanceof Float64Array && second instanceof Float64Array;
    return numbers ? Float64Array.from(cells as number[]) : cells;
  };
  return {
    length: rows.length,
    kind: isUnread(b) ? b.kind : a.kind,
    featureNames: a.featureNames,
    rowShape: a.rowShape ?? b.rowShape,
    // A side whose rows are not taken is not read: a streamed test set leaves the order of training rows free.
    window: leastWindow([...(ofA.length > 0 ? [a] : []), ...(ofB.length > 0 ? [b] : [])]),
    take: (indices) =>
      picked(
        a,
        b,
        indices.map((i) => rows[i]),
      ),
    toArrays: () =>
      both(
        (part) => part.toArrays(),
        (first, second) =>
          merge(
            rows,
            a.length,
            (at) => first[at],
            (at) => second[at],
          ),
      ),
    toColumns: () =>
      both(
        (part) => part.toColumns(),
        (first, second) => first.map((column, at) => mergeColumn(column, second[at])),
      ),
    toDense: () => both((part) => part.toDense(), mergeDense),
    toInputs: () =>
      both(
        (part) => part.toInputs(),
        (first, second) => {
          const names = (inputs: typeof first) => inputs.map(({ name }) => name ?? 'one without a name').join(', ');
          if (names(first) !== names(second)) {
            throw mismatch(`have the inputs of the training rows in the same order (${names(first)})`, names(second));
          }
          return first.map((input, i) => ({ ...input, ...mergeDense(input, second[i]) }));
        },
      ),
  };
}

function merge<T>(rows: Int32Array, nA: number, fromA: (at: number) => T, fromB: (at: number) => T): T[] {
  let a = 0;
  let b = 0;
  return Array.from(rows, (row) => (row < nA ? fromA(a++) : fromB(b++)));
}
