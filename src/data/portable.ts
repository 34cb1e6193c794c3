/** Rows and labels as plain data for another thread: numbers in shared memory where there is some, all else is copied when it is sent. */
import { hasSharedMemory, isSharedMemory } from '../core/sharedMemory.js';
import { yieldToPage } from '../core/yieldToPage.js';
import type { NumericArray } from './dense.js';
import { type Label, type Labels, type LabelValues, labelsFrom } from './labels.js';
import { withPositive } from './positiveCode.js';
import { blocksOf, mapParts, type Rows } from './rowKinds.js';
import { type RowsInput, rowsOf } from './rows.js';
import { areCodes, asCodes } from './tableColumns.js';

export type PortableRows =
  | { readonly inputs: Readonly<Record<string, PortableRows>> }
  | {
      readonly rows: RowsInput;
      readonly featureNames: readonly string[] | undefined;
      /** Places of columns that are codes. */
      readonly codes?: readonly number[];
    };

export type PortableLabels = LabelValues & { readonly positive: number | undefined };

export async function portableRows(X: Rows): Promise<PortableRows> {
  const { parts, featureNames } = X;
  if (!parts) {
    const numbers = X.shared ?? (await numbersIn(X));
    if (numbers) return { rows: numbers, featureNames };
    const columns = X.kind === 'columns' ? await X.toColumns() : [];
    const codes = columns.flatMap((column, at) => (areCodes(column) ? [at] : []));
    const rows: unknown[] = [];
    for (const block of blocksOf(X)) {
      for (const row of await X.take(block).toArrays()) rows.push(row);
      await yieldToPage();
    }
    return { rows, featureNames, codes };
  }
  const inputs: Record<string, PortableRows> = {};
  for (const [input, part] of Object.entries(parts)) inputs[input] = await portableRows(part);
  return { inputs };
}

export function rowsFrom(portable: PortableRows): Rows {
  if ('inputs' in portable) return rowsOf(mapParts(portable.inputs, rowsFrom));
  const { rows, featureNames = [], codes = [] } = portable;
  if (codes.length === 0) return rowsOf(rows, 'X', portable.featureNames);
  const cellsOf = (at: number) => (rows as unknown[][]).map((row) => row[at]);
  const columns = featureNames.map((name, at) => [name, codes.includes(at) ? asCodes(cellsOf(at)) : cellsOf(at)]);
  return rowsOf(Object.fromEntries(columns));
}

/** The numbers in shared memory; undefined where a cell is something else, or where rows are records. */
async function numbersIn(X: Rows): Promise<RowsInput | undefined> {
  if (X.kind === 'records') return undefined;
  let data: NumericArray | undefined;
  let at = 0;
  for (const block of blocksOf(X)) {
    const rows = X.take(block);
    if (HELD_AS_LISTS.has(X.kind) && !areNumbers(await rows.toArrays())) return undefined;
    const { data: numbers } = await rows.toDense();
    data ??= sharedArray(numbers, (numbers.length / block.length) * X.length);
    data.set(numbers, at);
    at += numbers.length;
    await yieldToPage();
  }
  return data && { data, shape: [X.length, ...(X.rowShape ?? [data.length / X.length])] };
}

/** Kinds whose cells may be anything: an empty cell or a truth value would become a number. */
const HELD_AS_LISTS: ReadonlySet<Rows['kind']> = new Set(['arrays', 'columns', 'frame']);

const areNumbers = (cells: readonly unknown[]): boolean =>
  cells.every((cell) => typeof cell === 'number' || (Array.isArray(cell) && areNumbers(cell)));

function sharedArray<A extends NumericArray>(like: A, length: number): A {
  const Type = like.constructor as { new (buffer: ArrayBufferLike): A };
  return new Type(new (hasSharedMemory ? SharedArrayBuffer : ArrayBuffer)(length * like.BYTES_PER_ELEMENT));
}

export function inSharedMemory<A extends NumericArray>(numbers: A): A {
  if (isSharedMemory(numbers.buffer)) return numbers;
  const shared = sharedArray(numbers, numbers.length);
  shared.set(numbers);
  return shared;
}

export function portableLabels(y: Labels): PortableLabels {
  const { task, why, guessed, shape, classes, positive, timed, masks, patients } = y;
  // A function stays: scores are computed in the process of the run.
  const aggregate = typeof y.aggregate === 'string' ? y.aggregate : undefined;
  const [codes, numbers, indicators] = [y.codes, y.numbers, y.indicators].map(inSharedMemory) as [
    Int32Array,
    Float64Array,
    Uint8Array,
  ];
  const facts = { task, why, guessed, shape, classes: [...classes] as Label[], positive, timed, masks };
  return { ...facts, patients, aggregate, codes, numbers, indicators };
}

export const portedLabels = ({ positive, ...values }: PortableLabels): Labels =>
  positive === undefined ? labelsFrom(values) : withPositive(labelsFrom(values), positive);
