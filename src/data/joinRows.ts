import { invalidData } from '../core/errors.js';
import { isDense, nest, takeDense } from './dense.js';
import { concat, gather, rowNumbers } from './labels.js';
import { mapRows } from './lists.js';
import { leastWindow, mapParts } from './rowKinds.js';
import { type Column, type Dense, type InputRows, type NumericArray, type Rows, rowsOf } from './rows.js';

/** The rows of `a` followed by those of `b`, as one view. Nothing is copied until it is read. */
export function joinRows(a: Rows, b: Rows): Rows {
  // What a row source gives is known only once it is read.
  if (!isUnread(a) && !isUnread(b) && columns(a) !== columns(b)) {
    throw mismatch(`have the columns of the training rows in the same order (${columns(a)})`, columns(b));
  }
  if (a.rowShape && b.rowShape) checkShape(a.rowShape, b.rowShape);
  const { parts } = b;
  if (a.parts && parts) return rowsOf(mapParts(a.parts, (part, input) => joinRows(part, parts[input])));
  return picked(a, b, rowNumbers(a.length + b.length));
}

const isUnread = ({ kind, parts }: Rows) => kind === 'source' && !parts;

const columns = ({ parts, featureNames }: Rows) =>
  parts ? `the inputs ${Object.keys(parts).join(', ')}` : (featureNames?.join(', ') ?? 'columns without names');

const mismatch = (must: string, text: string) => invalidData('column_mismatch', 'The test rows', must, text);

function checkShape(a: readonly number[], b: readonly number[]): void {
  if (a.join() === b.join()) return;
  throw invalidData('invalid_data', 'The test rows', `have the shape of the training rows, [${a}]`, `[${b}]`);
}

function picked(a: Rows, b: Rows, rows: Int32Array): Rows {
  const ofA = rows.filter((row) => row < a.length);
  const ofB = rows.filter((row) => row >= a.length).map((row) => row - a.length);
  // A side whose rows are not taken is not read: a streamed test set leaves the order of training rows free.
  const taken = [...(ofA.length > 0 ? [a] : []), ...(ofB.length > 0 ? [b] : [])];
  const both = async <T>(read: (part: Rows) => Promise<T>, merged: (first: T, second: T) => T): Promise<T> => {
    if (ofB.length === 0) return read(a.take(ofA));
    if (ofA.length === 0) return read(b.take(ofB));
    return merged(await read(a.take(ofA)), await read(b.take(ofB)));
  };
  /** The place of each row when those of `b` follow those of `a`. */
  const places = () => {
    let [atA, atB] = [0, ofA.length];
    return rows.map((row) => (row < a.length ? atA++ : atB++));
  };
  const inOrder = (first: readonly unknown[], second: readonly unknown[]) => {
    const all = [first, second].flat();
    return mapRows(rows.length, places(), (place) => all[place]);
  };
  const mergeDense = (first: Dense, second: Dense): Dense => {
    checkShape(first.shape.slice(1), second.shape.slice(1));
    const Numbers = first.data.constructor === second.data.constructor ? first.data.constructor : Float64Array;
    const data = new (Numbers as { new (n: number): NumericArray })(first.data.length + second.data.length);
    data.set(first.data);
    data.set(second.data, first.data.length);
    return takeDense({ data, shape: [rows.length, ...first.shape.slice(1)] }, places());
  };
  const mergeShaped = (first: unknown[] | Dense, second: unknown[] | Dense) => {
    if (isDense(first) && isDense(second)) return mergeDense(first, second);
    return inOrder(isDense(first) ? nest(first) : first, isDense(second) ? nest(second) : second);
  };
  const mergeColumns = (first: readonly Column[], second: readonly Column[]) =>
    first.map((column, at): Column => {
      const other = second[at];
      if (column instanceof Float64Array && other instanceof Float64Array)
        return gather(concat([column, other]), places());
      return inOrder([...column], [...other]);
    });
  const mergeInputs = (first: readonly InputRows[], second: readonly InputRows[]) => {
    const names = (inputs: typeof first) => inputs.map(({ name }) => name ?? 'one without a name').join(', ');
    if (names(first) !== names(second)) {
      throw mismatch(`have the inputs of the training rows in the same order (${names(first)})`, names(second));
    }
    return first.map((input, i) => ({ ...input, ...mergeDense(input, second[i]) }));
  };
  return {
    length: rows.length,
    kind: isUnread(b) ? b.kind : a.kind,
    featureNames: a.featureNames,
    rowShape: a.rowShape ?? b.rowShape,
    window: leastWindow(taken),
    take: (indices) => picked(a, b, gather(rows, indices)),
    toArrays: () => both((part) => part.toArrays(), inOrder),
    toShaped: () => both((part) => part.toShaped(), mergeShaped),
    toColumns: () => both((part) => part.toColumns(), mergeColumns),
    toDense: () => both((part) => part.toDense(), mergeDense),
    toInputs: () => both((part) => part.toInputs(), mergeInputs),
  };
}
