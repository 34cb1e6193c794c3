/** Nothing that the caller passed is changed, copied before it is needed, or disposed. */
import { InvalidDataError, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { isList, isPlainObject } from '../core/options.js';
import { refuseKerasRows } from './asInKeras.js';
import { type Dense, disposeOwn, isShared, isTensor, type NumericArray, nest, takeDense } from './dense.js';
import { named } from './featureNames.js';
import { cellNumber, mapRows, numbersOf, picked } from './lists.js';
import {
  type ColumnValues,
  type Found,
  type FoundAs,
  type InputRows,
  isRows,
  leastWindow,
  mapParts,
  type RowSource,
  type Rows,
  type RowsInput,
  recognise,
  warningsOf,
} from './rowKinds.js';
import { asColumns, checkTable, denseAsColumns, listAsColumn, listsAsColumns, notATable } from './tableColumns.js';

export type { Dense, NumericArray, TensorLike } from './dense.js';
export type {
  ColumnValues as Column,
  FitRows,
  HeldOut,
  InputRows,
  RowSource,
  Rows,
  RowsInput,
  TestRows,
} from './rowKinds.js';

/**
 * The view over `X`, with the names of its features where it has some or where they are given. Throws
 * {@link InvalidDataError} for ragged, empty or unknown data and for names that do not fit; `name` is used in messages.
 */
export function rowsOf(X: unknown, name = 'X', featureNames?: readonly string[]): Rows {
  refuseKerasRows(X, name);
  const rows = viewOf(named(recognise(X, name), name, featureNames), name);
  if (rows !== X) passed.set(rows, X as RowsInput);
  return rows;
}

const passed = new WeakMap<Rows, RowsInput>();

/** What the caller passed, for code of the caller that reads rows at once; their number where the view is of a part of it. */
export const asPassed = (X: Rows): RowsInput | number => passed.get(X) ?? X.length;

/** `rows` are those of `X`, in another view. */
export const passedAs = (rows: Rows, X: Rows) => passed.set(rows, asPassed(X) as RowsInput);

function viewOf(found: Found | Rows, name: string): Rows {
  if (isRows(found)) return found;
  if (found.kind !== 'inputs') {
    const { featureNames, rowShape } = frozenCopy({ featureNames: found.featureNames, rowShape: found.rowShape });
    const shared = found.kind === 'dense' && isShared(found.content) ? { shared: found.content } : {};
    return view({ ...found, ...shared, featureNames, rowShape, ...READERS[found.kind](found as never, name) }, null);
  }
  const parts = mapParts(found.content, (part, input) => viewOf(part, `${name}.${input}`));
  const kind = Object.values(parts).some((part) => part.kind === 'source') ? 'source' : 'inputs';
  return view({ length: found.length, kind, parts, ...warningsOf(parts), ...inputReader(parts) }, null);
}

type Store = RowReader &
  Pick<Rows, 'length' | 'kind' | 'parts' | 'window' | 'warnings' | 'shared'> &
  Partial<Pick<Rows, 'featureNames' | 'rowShape'>>;

/** Callbacks are given views, too, and must not change them. */
function view(store: Store, indices: Int32Array | null): Rows {
  const rows: Rows = {
    length: indices ? indices.length : store.length,
    kind: store.kind,
    featureNames: store.featureNames,
    rowShape: store.rowShape,
    ...(store.shared && !indices ? { shared: store.shared } : {}),
    ...(store.warnings ? { warnings: store.warnings } : {}),
    get window() {
      return this.parts ? leastWindow(Object.values(this.parts)) : store.window;
    },
    get parts() {
      return store.parts && mapParts(store.parts, (part) => takeOf(part, indices));
    },
    take: (taken) => view(store, indices ? taken.map((row) => indices[row]) : taken),
    toArrays: () => store.arrays(indices),
    toShaped: () => (store.shaped ?? store.arrays)(indices),
    toColumns: async () => store.columns?.(indices) ?? denseAsColumns(await store.dense(indices)),
    toDense: () => store.dense(indices),
    toInputs: async () => (store.inputs ? store.inputs(indices) : [await store.dense(indices)]),
  };
  return Object.freeze(rows);
}

/** How each kind of data is read. `null` means all rows. */
interface RowReader {
  arrays(rows: Int32Array | null): Promise<unknown[]>;
  /** Left out where it is as `arrays`. */
  shaped?(rows: Int32Array | null): Promise<unknown[] | Dense>;
  dense(rows: Int32Array | null): Promise<Dense>;
  /** Left out by what holds numbers alone. */
  columns?(rows: Int32Array | null): Promise<readonly ColumnValues[]>;
  /** Left out by what is always one input. */
  inputs?(rows: Int32Array | null): Promise<readonly InputRows[]>;
}

const arrayReader = ({ content, length, rowShape, featureNames }: FoundAs<'arrays'>, name: string): RowReader => ({
  arrays: async (rows) => mapRows(length, rows, (row) => copyNested(content[row])),
  dense: async (rows) => numbersOf(content, rows, rowShape, name, featureNames),
  columns: async (rows) => {
    checkTable(rowShape, name);
    return listsAsColumns(content as readonly ArrayLike<unknown>[], rows, rowShape[0]);
  },
});

const recordReader = ({ content, length, featureNames: names }: FoundAs<'records'>, name: string): RowReader => {
  const cell = (row: number, column: number) => content[row][names[column]];
  const copied = (row: number) => Object.entries(content[row]).map(([key, each]) => [key, copyNested(each)]);
  return {
    arrays: async (rows) => mapRows(length, rows, (row) => Object.fromEntries(copied(row))),
    dense: async (rows) => denseCells(length, rows, names.length, cell, namedCell(name, names)),
    columns: async (rows) => asColumns(length, rows, names.length, cell),
  };
};

const columnReader = (found: FoundAs<'columns' | 'frame'>, name: string): RowReader => {
  const { content, length, featureNames: names } = found;
  const cell = (row: number, column: number) => content[column][1][row];
  return {
    arrays: async (rows) => mapRows(length, rows, (row) => content.map(([, values]) => values[row])),
    dense: async (rows) => denseCells(length, rows, names.length, cell, namedCell(name, names)),
    columns: async (rows) => content.map(([, values]) => listAsColumn(values, rows)),
  };
};

/** A fresh copy. Lists are copied as a whole: a call for every cell would take ten times as long (leave-one-out). */
function copyNested(value: unknown): unknown {
  if (!isList(value)) return value;
  const copy = Array.isArray(value) ? [...value] : Array.from(value);
  for (let i = 0; i < copy.length; i++) if (typeof copy[i] === 'object') copy[i] = copyNested(copy[i]);
  return copy;
}

function denseCells(
  length: number,
  rows: Int32Array | null,
  width: number,
  cell: (row: number, column: number) => unknown,
  where: (row: number, column: number) => string,
): Dense {
  const n = rows ? rows.length : length;
  const data = new Float64Array(n * width);
  let at = 0;
  for (const row of picked(length, rows)) {
    for (let column = 0; column < width; column++) data[at++] = cellNumber(cell(row, column), () => where(row, column));
  }
  return { data, shape: [n, width] };
}

const namedCell = (name: string, names: readonly string[]) => (row: number, column: number) =>
  `${name} row ${row} column '${nameText(names[column])}'`;

const denseReader = ({ content }: FoundAs<'dense'>): RowReader =>
  numbersAlone(async (rows) => takeDense(content, rows));

/** A tensor is downloaded once, when it is first read. */
function tensorReader({ content }: FoundAs<'tensor'>): RowReader {
  const shape = [...content.shape];
  let read: Promise<Dense> | undefined;
  const all = () => {
    read ??= content.data().then((data) => ({ data: data as NumericArray, shape }));
    return read;
  };
  return numbersAlone(async (rows) => takeDense(await all(), rows));
}

const matrixReader = ({ content: matrix }: FoundAs<'matrix'>, name: string): RowReader => {
  const cell = (row: number, column: number) => matrix.get(row, column);
  const where = (row: number, column: number) => `${name} row ${row} column ${column}`;
  return numbersAlone(async (rows) => denseCells(matrix.rows, rows, matrix.columns, cell, where));
};

const numbersAlone = (dense: RowReader['dense']): RowReader => ({
  dense,
  arrays: async (rows) => nest(await dense(rows)),
  async shaped(rows) {
    const numbers = await dense(rows);
    return numbers.shape.length > 2 ? numbers : nest(numbers);
  },
});

function sourceReader({ content: source, featureNames }: FoundAs<'source'>, name: string): Required<RowReader> {
  const taken = async <T>(rows: Int32Array | null, read: (got: Rows) => Promise<T>): Promise<T> => {
    const wanted = rows ?? Int32Array.from(picked(source.length, null));
    const taken = await takeFrom(source, wanted.slice(), name);
    try {
      const got = rowsOf(taken, name, featureNames);
      if (got.length !== wanted.length) {
        const must = `give ${wanted.length} rows when that many were requested`;
        throw new InvalidDataError(sentence(`The row source ${name}`, must, phrase(String(got.length))));
      }
      return await read(got);
    } finally {
      disposeTensors(taken);
    }
  };
  return {
    inputs: (rows) => taken(rows, (got) => got.toInputs()),
    dense: (rows) => taken(rows, (got) => got.toDense()),
    arrays: (rows) => taken(rows, (got) => got.toArrays()),
    shaped: (rows) => taken(rows, (got) => got.toShaped()),
    columns: (rows) => taken(rows, (got) => got.toColumns()),
  };
}

async function takeFrom(source: RowSource, wanted: Int32Array, name: string): Promise<RowsInput> {
  try {
    return await source.take(wanted);
  } catch (error) {
    return threw(`The row source ${name}`, 'give the requested rows', 'source_failed', InvalidDataError)(error);
  }
}

/** A source makes its tensors for one call. */
function disposeTensors(value: unknown): void {
  if (isTensor(value)) disposeOwn(value);
  else if (isPlainObject(value)) Object.values(value).forEach(disposeTensors);
}

const takeOf = (part: Rows, rows: Int32Array | null) => (rows ? part.take(rows) : part);

function inputReader(parts: Readonly<Record<string, Rows>>): RowReader {
  const entries = Object.entries(parts);
  const inputs = async (rows: Int32Array | null) => {
    const read: InputRows[] = [];
    // One after the other: an input may be a row source that reads much at a time.
    for (const [input, part] of entries) read.push({ name: input, ...(await takeOf(part, rows).toDense()) });
    return read;
  };
  return {
    inputs,
    dense: async (rows) => sideBySide(await inputs(rows)),
    columns: async () => {
      throw notATable('several inputs');
    },
    async arrays(rows) {
      const columns: [string, unknown[]][] = [];
      for (const [input, part] of entries) columns.push([input, await takeOf(part, rows).toArrays()]);
      return columns[0][1].map((_, row) => Object.fromEntries(columns.map(([input, values]) => [input, values[row]])));
    },
  };
}

function sideBySide(inputs: readonly InputRows[]): Dense {
  const n = inputs[0].shape[0];
  const widths = inputs.map(({ data }) => data.length / n);
  const width = widths.reduce((sum, each) => sum + each, 0);
  const data = new Float64Array(n * width);
  let at = 0;
  inputs.forEach((input, i) => {
    for (let row = 0; row < n; row++) {
      data.set(input.data.subarray(row * widths[i], (row + 1) * widths[i]), row * width + at);
    }
    at += widths[i];
  });
  return { data, shape: [n, width] };
}

const READERS: Readonly<Record<Exclude<Found['kind'], 'inputs'>, (found: never, name: string) => RowReader>> = {
  arrays: arrayReader,
  records: recordReader,
  columns: columnReader,
  frame: columnReader,
  dense: denseReader,
  matrix: matrixReader,
  tensor: tensorReader,
  source: sourceReader,
};
