/** A column in order: sorted once, however many checks ask. */
import { lowerBound } from '../../core/lowerBound.js';
import { gather } from '../../data/labels.js';
import { ascendingOrder } from '../../metrics/rocPlacements.js';
import type { Column } from './columns.js';

/** Order and ranks of the rows that have a value. */
export interface ColumnRanks {
  /** Rows with a value, ascending by it; ties in row order. */
  readonly order: Int32Array;
  /** Mid-rank of each row, from 1; NaN where the value is missing. */
  readonly ranks: Float64Array;
  /** Number of different values. */
  readonly distinct: number;
}

const known = new WeakMap<Float64Array, ColumnRanks>();

/** The ranks of a column's values. */
export function columnRanks({ values }: Pick<Column, 'values'>): ColumnRanks {
  let ranked = known.get(values);
  if (!ranked) {
    ranked = rank(values);
    known.set(values, ranked);
  }
  return ranked;
}

function rank(values: Float64Array): ColumnRanks {
  const order = ordered(values);
  const m = order.length;
  const ranks = m === values.length ? new Float64Array(m) : new Float64Array(values.length).fill(Number.NaN);
  let distinct = 0;
  for (let from = 0; from < m; distinct++) {
    const value = values[order[from]];
    let to = from + 1;
    while (to < m && values[order[to]] === value) to++;
    for (let at = from; at < to; at++) ranks[order[at]] = (from + 1 + to) / 2;
    from = to;
  }
  return { order, ranks, distinct };
}

/** Rows with a value, ascending by it; ties in row order. */
function ordered(values: Float64Array): Int32Array {
  const rows = new Int32Array(values.length);
  let m = 0;
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) rows[m++] = row;
  const present = rows.subarray(0, m);
  if (m < FEW) return fewInOrder(values, present);
  return m === values.length ? ascendingOrder(values) : gather(present, ascendingOrder(gather(values, present)));
}

/** Below this many rows values are sorted alone, and rows are put to their places: three times as fast as sorting rows. */
const FEW = 500;

function fewInOrder(values: Float64Array, rows: Int32Array): Int32Array {
  const sorted = gather(values, rows).sort();
  const next = new Int32Array(rows.length);
  const order = new Int32Array(rows.length);
  for (const row of rows) {
    const first = lowerBound(sorted, values[row]);
    order[first + next[first]++] = row;
  }
  return order;
}
