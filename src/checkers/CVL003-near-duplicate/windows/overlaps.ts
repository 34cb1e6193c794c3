/** Rows that overlap: windows of one recording, tiles of one slide. */
import { product } from '../../../data/dense.js';
import { rowNumbers } from '../../../data/labels.js';
import type { NumericArray, Rows } from '../../../data/rows.js';
import type { Features } from '../../features/columns.js';
import { batchOf } from '../../features/rowBatches.js';
import { contradictory } from './oneLine.js';
import { type Overlap, overlapOf } from './overlapOf.js';
import { type Shifted, type Sketch, shiftedPairs, sketchOf, VOTES } from './sketches.js';

export interface OverlapPair extends Overlap {
  readonly first: number;
  readonly second: number;
  /** A shape that recurs would look the same: see {@link contradictory}, or most of what they share is one value. */
  readonly doubtful: boolean;
}

/** Rows of fewer values are no windows. */
const SHORTEST = 16;
/** Pairs that are compared value by value, at most. */
const MOST = 50_000;
/** Among more rows windows are not looked for: it takes too much memory. */
export const MOST_WINDOWS = 50_000;

/** Whether rows could be windows or tiles: one input of numbers in memory, long enough. A source is not read twice. */
export const mayOverlap = (X: Rows, { columns, images }: Features): boolean =>
  !X.parts &&
  X.kind !== 'source' &&
  X.rowShape !== undefined &&
  product(X.rowShape) >= SHORTEST &&
  (images !== undefined || columns.every(({ kind }) => kind === 'number'));

/** Rows of which each may be a window or a tile. */
export interface Windows {
  readonly n: number;
  /** Shape of a row. */
  readonly shape: readonly number[];
  /** Rows to be read at a time. */
  readonly batch: number;
  /** The values of some rows, one after the other. */
  read(rows: Int32Array): NumericArray | Promise<NumericArray>;
}

/** The rows as windows, where they may be some and are not too many. */
export function windowsOf(X: Rows, features: Features): Windows | undefined {
  if (X.length > MOST_WINDOWS || !mayOverlap(X, features)) return undefined;
  const { n, columns } = features;
  return {
    n,
    shape: X.rowShape as readonly number[],
    batch: batchOf(X),
    read: features.images ? async (rows) => (await X.take(rows).toDense()).data : (rows) => cellsOf(columns, rows),
  };
}

/** Some rows of a table as its features have them, where text may be a number. */
function cellsOf(columns: Features['columns'], rows: Int32Array): Float64Array {
  const data = new Float64Array(rows.length * columns.length);
  columns.forEach(({ values }, column) => {
    for (let at = 0; at < rows.length; at++) data[at * columns.length + column] = values[rows[at]];
  });
  return data;
}

/**
 * Pairs of rows of different patients of which half or more is the same, shifted; some are missed where runs are common.
 * See {@link overlapOf}.
 */
export async function overlaps(windows: Windows, patients: Int32Array | undefined): Promise<OverlapPair[]> {
  const { n, shape, batch } = windows;
  const length = product(shape);
  const sketches: Sketch[] = [];
  for (let from = 0; from < n; from += batch) {
    const count = Math.min(batch, n - from);
    const data = await windows.read(rowNumbers(count).map((row) => from + row));
    for (let row = 0; row < count; row++) sketches.push(sketchOf(data, row * length, length));
  }
  const wanted = (first: number, second: number) => !patients || patients[first] !== patients[second];
  const found: { readonly pair: Omit<OverlapPair, 'doubtful'>; readonly runs: readonly number[] }[] = [];
  // Of each run, pairs that overlap where it stands in both, less those that do not.
  const balance = new Map<number, number>();
  for (const pair of shiftedPairs(sketches, wanted).slice(0, MOST)) {
    const overlap = await compared(windows, pair);
    if (!overlap) continue;
    const { first, second, runs } = pair;
    for (const run of runs) balance.set(run, (balance.get(run) ?? 0) + (overlap === 'differ' ? -1 : 1));
    if (overlap !== 'differ') found.push({ pair: { first, second, ...overlap }, runs });
  }
  // A run that mostly stands in rows that differ around it is a shape that recurs, such as a beat of a heart.
  const isTelling = (run: number) => (balance.get(run) as number) > 0;
  const pairs = found
    .filter(({ runs }) => runs.filter(isTelling).length >= Math.max(VOTES, runs.length / 2))
    .map(({ pair }) => pair);
  const contradicts = contradictory(pairs);
  return pairs.map((pair, at) => ({ ...pair, doubtful: pair.mostlyOne || contradicts[at] }));
}

async function compared({ shape, read }: Windows, { first, second, shift }: Shifted) {
  const data = await read(Int32Array.of(first, second));
  const length = product(shape);
  return overlapOf(data.subarray(0, length) as NumericArray, data.subarray(length) as NumericArray, shape, shift);
}
