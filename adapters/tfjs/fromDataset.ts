/** `tf.data` as rows and labels: streams that are read again in every pass and never held as a whole. */
import { InvalidDataError, kindOf, phrase, sentence } from '../../src/core/errors.js';
import { counted } from '../../src/core/format.js';
import { integer, isList, isPlainObject, optionTable } from '../../src/core/options.js';
import type { Label } from '../../src/data/labels.js';
import type { Dense, RowSource } from '../../src/data/rows.js';
import { shapeText } from '../inputs.js';
import { isTfjsTensor } from './structures.js';

/** The part of `tf.data.Dataset` that is used. Each element is one row, `{ xs, ys }`. */
export interface DatasetLike {
  readonly size?: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: elements are checked as they come
  iterator(): Promise<{ next(): Promise<{ value: any; done?: boolean }> }>;
}

export interface DatasetRows {
  readonly X: RowSource;
  /** A list of labels, or `[n, ...]` where `ys` are one-hot rows, several labels or masks. */
  readonly y: readonly Label[] | Dense;
}

export const fromDatasetOptions = optionTable('fromDataset', {
  window: integer({ min: 1 })
    .default(1024)
    .describe('Rows held at a time; training shuffles within blocks of this many, because a stream cannot jump.'),
});

/**
 * Turns a `tf.data.Dataset` of rows `{ xs, ys }` (not of batches) into `{ X, y }`: reads it once to count the rows and
 * to keep their labels, and again whenever rows are needed. `xs` is a tensor or a list, a record of these for a model of
 * several inputs, or a record of numbers, as `tf.data.csv` gives it, which is one row. Every tensor is disposed.
 *
 * Every pass must give the same rows in the same order: shuffle once, before, with a seed and
 * `reshuffleEachIteration` false. Throws {@link InvalidDataError} for a dataset of batches, for rows without `ys`, with
 * NaN in them or of different shapes, and, while rows are read again, for labels or a number of rows that have changed.
 *
 * @example
 * const dataset = tf.data.array([{ xs: [1, 2], ys: 0 }, { xs: [3, 4], ys: 1 }]);
 * const rows = await fromDataset(dataset);
 * console.log(rows.X.length, rows.y);
 */
export async function fromDataset(
  dataset: DatasetLike,
  options: { readonly window?: number } = {},
): Promise<DatasetRows> {
  const { window } = fromDatasetOptions.resolve(options);
  const refuse = (must: string, got: unknown) => {
    throw new InvalidDataError(sentence('The dataset', must, got));
  };
  if (typeof dataset?.iterator !== 'function') refuse('be a tf.data.Dataset', dataset);
  if (dataset.size === Number.POSITIVE_INFINITY) refuse('end', phrase('one that repeats for ever'));
  const labels: Kept[] = [];
  let shape: readonly number[] = [];
  const iterator = await dataset.iterator();
  for (let row = 0; ; row++) {
    const { value, done } = await iterator.next();
    if (done) break;
    const element = await readElement(value, row);
    if (row === 0) {
      checkNoBatch(element);
      shape = element.y.shape;
    }
    if (String(shape) !== String(element.y.shape)) throw ragged('ys', row, shape, element.y.shape);
    checkLabel(element.y, row);
    labels.push(kept(element.y));
  }
  if (labels.length === 0) refuse('have at least one row', phrase('none'));
  return { X: sourceOf(dataset, labels, window), y: labelsOf(labels, shape) };
}

interface Cell {
  readonly values: ArrayLike<Label>;
  readonly shape: readonly number[];
}

interface Element {
  readonly x: Readonly<Record<string, Cell>>;
  readonly y: Cell;
}

type Kept = Label | Float32Array;

const kept = ({ values }: Cell): Kept =>
  values.length === 1 ? values[0] : Float32Array.from(values as ArrayLike<number>);

function labelsOf(labels: readonly Kept[], shape: readonly number[]): DatasetRows['y'] {
  const [first] = labels;
  if (!(first instanceof Float32Array)) return labels as Label[];
  const data = new Float32Array(labels.length * first.length);
  labels.forEach((label, row) => void data.set(label as Float32Array, row * first.length));
  return { data, shape: [labels.length, ...shape] };
}

function sourceOf(dataset: DatasetLike, labels: readonly Kept[], window: number): RowSource {
  let iterator: Awaited<ReturnType<DatasetLike['iterator']>> | undefined;
  let position = 0;

  const next = async () => {
    iterator ??= await dataset.iterator();
    const { value, done } = await iterator.next();
    if (done) throw changed(`the end after ${counted(position, 'row')}`);
    position++;
    return value;
  };
  const read = async (row: number): Promise<Element> => {
    while (position < row) dispose(await next());
    const element = await readElement(await next(), row);
    if (!sameLabel(kept(element.y), labels[row])) throw changed(`another label in row ${row}`);
    if (row === labels.length - 1) {
      const { value, done } = await (iterator as NonNullable<typeof iterator>).next();
      dispose(value);
      if (!done) throw changed(`more than ${labels.length} rows`);
    }
    return element;
  };
  const take = async (indices: Int32Array) => {
    if (indices.length === 0) return [];
    const ascending = indices.map((_, at) => at).sort((a, b) => indices[a] - indices[b]);
    if (indices[ascending[0]] < position) [iterator, position] = [undefined, 0];
    let last: { readonly row: number; readonly element: Element } | undefined;
    let rows: Record<string, Dense> | undefined;
    for (const at of ascending) {
      const row = indices[at];
      if (last?.row !== row) last = { row, element: await read(row) };
      rows ??= emptyRows(last.element, indices.length);
      for (const [name, { data, shape }] of Object.entries(rows)) {
        const cell = last.element.x[name];
        if (String(cell?.shape) !== String(shape.slice(1))) throw ragged('xs', row, shape.slice(1), cell?.shape ?? []);
        data.set(cell.values as ArrayLike<number>, at * cell.values.length);
      }
    }
    const all = rows as Record<string, Dense>;
    return '' in all ? all[''] : all;
  };

  // One stream serves all: the next caller waits until the rows before are read, and gets none of their errors.
  let queue: Promise<unknown> = Promise.resolve();
  return {
    length: labels.length,
    window,
    take(indices) {
      const taken = queue.then(() => take(indices));
      queue = taken.catch(() => {
        [iterator, position] = [undefined, 0];
      });
      return taken;
    },
  };
}

function emptyRows({ x }: Element, n: number): Record<string, Dense> {
  const empty = ({ values, shape }: Cell) => ({ data: new Float32Array(n * values.length), shape: [n, ...shape] });
  return Object.fromEntries(Object.entries(x).map(([name, cell]) => [name, empty(cell)]));
}

const sameLabel = (a: Kept, b: Kept): boolean =>
  a instanceof Float32Array && b instanceof Float32Array
    ? a.length === b.length && a.every((value, at) => Object.is(value, b[at]))
    : Object.is(a, b);

function changed(got: string): InvalidDataError {
  const must = 'give the same rows in the same order in every pass';
  const way = 'Shuffle it with a seed and reshuffleEachIteration false.';
  return new InvalidDataError(sentence('The dataset', must, phrase(got), way), { code: 'dataset_changed' });
}

function ragged(what: string, row: number, wanted: readonly number[], got: readonly number[]): InvalidDataError {
  const must = `have ${what} of shape ${shapeText(wanted)}, as row 0 has`;
  const way = 'Leave out `batch`: each element is one row.';
  const message = sentence(`Row ${row} of the dataset`, must, phrase(shapeText(got)), way);
  return new InvalidDataError(message, { code: 'ragged_rows' });
}

function checkLabel({ values }: Cell, row: number): void {
  if (!Array.prototype.some.call(values, Number.isNaN)) return;
  const subject = `The ys of row ${row} of the dataset`;
  const way = 'Leave out rows without a label.';
  throw new InvalidDataError(sentence(subject, 'be labels', phrase('NaN'), way), { code: 'missing_labels' });
}

/** Labels `[b]` or `[b, classes]` of `b` rows are a batch; a mask has the height and the width of its image. */
function checkNoBatch({ x, y }: Element): void {
  const [first] = Object.values(x);
  const rows = first.shape[0];
  const mask = y.shape.length > 1 && y.shape[1] === first.shape[1];
  if (first.shape.length < 2 || rows < 2 || y.shape[0] !== rows || y.shape.length > 2 || mask) return;
  const must = 'give one row at a time';
  const got = phrase(`xs of shape ${shapeText(first.shape)} with ys of shape ${shapeText(y.shape)}, a batch`);
  throw new InvalidDataError(sentence('The dataset', must, got, 'Leave out `batch`.'), { code: 'batched_dataset' });
}

async function readElement(element: unknown, row: number): Promise<Element> {
  try {
    const { xs, ys } = (isPlainObject(element) ? element : {}) as { xs?: unknown; ys?: unknown };
    if (xs === undefined || ys === undefined) {
      const subject = `Row ${row} of the dataset`;
      throw new InvalidDataError(sentence(subject, 'be { xs, ys }', kindOf(element)), { code: 'invalid_element' });
    }
    const x: Record<string, Cell> = {};
    if (isPlainObject(xs) && !isTfjsTensor(xs) && !isNumbers(xs)) {
      for (const [name, value] of Object.entries(xs)) x[name] = await readCell(value);
    } else x[''] = await readCell(xs);
    return { x, y: await readCell(ys) };
  } finally {
    dispose(element);
  }
}

const isNumbers = (value: object): value is Record<string, number> =>
  Object.values(value).every((each) => typeof each === 'number');

async function readCell(value: unknown): Promise<Cell> {
  if (isTfjsTensor(value)) return { values: await value.data(), shape: [...value.shape] };
  if (isList(value)) {
    const nested = Array.from(value);
    if (!nested.some(isList)) return { values: nested as Label[], shape: [nested.length] };
    const cells = await Promise.all(nested.map(readCell));
    return { values: cells.flatMap(({ values }) => Array.from(values)), shape: [nested.length, ...cells[0].shape] };
  }
  if (isPlainObject(value)) return readCell(Object.values(value));
  return { values: [value as Label], shape: [] };
}

function dispose(value: unknown): void {
  if (isTfjsTensor(value)) value.dispose();
  else if (Array.isArray(value) || isPlainObject(value)) for (const inner of Object.values(value)) dispose(inner);
}
