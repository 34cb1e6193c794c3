/**
 * One view over every kind of `X`: length, take, arrays, dense numbers. Nothing that the caller passed is changed,
 * copied before it is needed, or disposed; tensors and data frames are recognised by shape and never imported.
 */

import { frozenCopy } from '../core/frozenCopy.js';
import { denseReader, matrixReader, tensorReader } from './denseRows.js';
import { named } from './featureNames.js';
import { inputReader, leastWindow, takeOf } from './inputRows.js';
import { arrayReader, columnReader, recordReader } from './listRows.js';
import { type Found, isRows, mapParts, recognise } from './rowKinds.js';
import { sourceReader } from './sourceRows.js';

export type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** Numbers with a shape `[n, ...]`, row-major. */
export interface Dense {
  readonly data: NumericArray;
  readonly shape: readonly number[];
}

/** Numbers of one input of a model. */
export interface InputRows extends Dense {
  /** Its key in a record of inputs; undefined when `X` is one input. */
  readonly name?: string;
}

/** Rows that are read as they are needed, for data that does not fit in memory. */
export interface RowSource {
  readonly length: number;
  /** Rows are read in blocks of this many, in ascending order: a stream cannot jump. */
  readonly window?: number;
  /** Tensors that it gives are disposed once they are read, unless `tf.keep` marks them. */
  take(indices: Int32Array): Promise<RowsInput> | RowsInput;
}

/** The part of `tf.Tensor` that is used. */
export interface TensorLike {
  readonly shape: readonly number[];
  readonly dtype: string;
  data(): Promise<ArrayLike<number>>;
  dataSync(): ArrayLike<number>;
}

/**
 * Every kind of `X` (contract section 2): arrays, records, columns, dense, ml-matrix, tensors, data frames, sources; or
 * a record of input name to any of these, for models of several inputs. A flat list beside an input is one of shape
 * `[n, 1]`; a record of flat lists alone is columns.
 */
// biome-ignore lint/suspicious/noExplicitAny: data frames are recognised by shape, their classes are not ours to name
export type RowsInput = Rows | readonly any[] | Record<string, any> | Dense | RowSource | TensorLike;

/** A view over rows. `take` composes views and copies nothing. */
export interface Rows {
  readonly length: number;
  /** `inputs`: a record of inputs, all in memory. `source`: read as needed, which one input is enough for. */
  readonly kind: 'arrays' | 'records' | 'columns' | 'dense' | 'matrix' | 'tensor' | 'frame' | 'source' | 'inputs';
  /** Names of the columns where the data has them or the caller gave them. */
  readonly featureNames: readonly string[] | undefined;
  /** Shape of one row, for example `[30]`. Undefined for several inputs and for a row source, which only reading tells. */
  readonly rowShape: readonly number[] | undefined;
  /** Each input of a record of inputs. Undefined for one input, and for a row source, which only reading tells. */
  readonly parts?: Readonly<Record<string, Rows>>;
  /** Rows are read in blocks of this many, in ascending order: see {@link RowSource}. */
  readonly window?: number;
  take(indices: Int32Array): Rows;
  /** Fresh copies of the rows: records stay records (of columns, or of inputs), all else becomes (nested) arrays. */
  toArrays(): Promise<unknown[]>;
  /** Numbers with their shape; several inputs side by side. Text is refused with its place; a missing value is NaN. */
  toDense(): Promise<Dense>;
  /** As `toDense`, each input by itself, in the order of the record. One input is a list of one. */
  toInputs(): Promise<readonly InputRows[]>;
}

/** How each kind of data is read. `null` means all rows. */
export interface RowReader {
  arrays(rows: Int32Array | null): Promise<unknown[]>;
  dense(rows: Int32Array | null): Promise<Dense>;
  /** Left out by what is always one input. */
  inputs?(rows: Int32Array | null): Promise<readonly InputRows[]>;
}

/**
 * The view over `X`, with the names of its features where it has some or where they are given. Throws
 * {@link InvalidDataError} for ragged, empty or unknown data and for names that do not fit; `name` is used in messages.
 */
export const rowsOf = (X: unknown, name = 'X', featureNames?: readonly string[]): Rows =>
  viewOf(named(recognise(X, name), name, featureNames), name);

function viewOf(found: Found | Rows, name: string): Rows {
  if (isRows(found)) return found;
  if (found.kind !== 'inputs') {
    const { featureNames, rowShape } = frozenCopy({ featureNames: found.featureNames, rowShape: found.rowShape });
    return view({ ...found, featureNames, rowShape, ...readerOf(found, name) }, null);
  }
  const parts = mapParts(found.content, (part, input) => viewOf(part, `${name}.${input}`));
  const kind = Object.values(parts).some((part) => part.kind === 'source') ? 'source' : 'inputs';
  return view({ length: found.length, kind, parts, ...inputReader(parts) }, null);
}

function readerOf(found: Exclude<Found, { kind: 'inputs' }>, name: string): RowReader {
  switch (found.kind) {
    case 'arrays':
      return arrayReader(found, name);
    case 'records':
      return recordReader(found, name);
    case 'columns':
    case 'frame':
      return columnReader(found, name);
    case 'dense':
      return denseReader(found);
    case 'matrix':
      return matrixReader(found);
    case 'tensor':
      return tensorReader(found);
    case 'source':
      return sourceReader(found, name, rowsOf);
  }
}

/** What is known of the data, and how they are read; the view does the rest. */
type Store = RowReader &
  Pick<Rows, 'length' | 'kind' | 'parts' | 'window'> &
  Partial<Pick<Rows, 'featureNames' | 'rowShape'>>;

/** Callbacks are given views, too, and must not change them. */
function view(store: Store, indices: Int32Array | null): Rows {
  const rows: Rows = {
    length: indices ? indices.length : store.length,
    kind: store.kind,
    featureNames: store.featureNames,
    rowShape: store.rowShape,
    get window() {
      return this.parts ? leastWindow(Object.values(this.parts)) : store.window;
    },
    get parts() {
      return store.parts && mapParts(store.parts, (part) => takeOf(part, indices));
    },
    take: (taken) => view(store, indices ? taken.map((row) => indices[row]) : taken),
    toArrays: () => store.arrays(indices),
    toDense: () => store.dense(indices),
    toInputs: async () => (store.inputs ? store.inputs(indices) : [await store.dense(indices)]),
  };
  return Object.freeze(rows);
}
