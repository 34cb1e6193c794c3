/** A column in order: sorted once, however many checks ask. */
import { gather } from '../../data/labels.js';
import { sortedRows } from '../../metrics/rocPlacements.js';
import type { Column } from './columns.js';

export interface ColumnRanks {
  /** Rows with a value, ascending by it; ties in row order. */
  readonly order: Int32Array;
  /** Mid-rank of each row, from 1; NaN where the value is missing. Made when first asked for. */
  readonly ranks: Float64Array;
  /** Number of different values. */
  readonly distinct: number;
}

const known = new WeakMap<Float64Array, ColumnRanks>();

export function columnRanks({ values }: Pick<Column, 'values'>): ColumnRanks {
  let ranked = known.get(values);
  if (!ranked) {
    ranked = rank(values);
    known.set(values, ranked);
  }
  return ranked;
}

function rank(values: Float64Array): ColumnRanks {
  const order = ascendingRows(values);
  let distinct = 0;
  for (let at = 0; at < order.length; at++) {
    if (at === 0 || values[order[at]] !== values[order[at - 1]]) distinct++;
  }
  let ranks: Float64Array | undefined;
  return {
    order,
    distinct,
    get ranks() {
      ranks ??= midRanks(values, order);
      return ranks;
    },
  };
}

/** The value that is there most often, the least of several, and how often; NaN where all are missing. */
export function commonest(values: Float64Array): { readonly value: number; readonly count: number } {
  const { order, distinct } = columnRanks({ values });
  if (distinct === order.length) return { value: values[order[0]] ?? Number.NaN, count: Math.min(1, distinct) };
  let best = { value: Number.NaN, count: 0 };
  for (let from = 0, to = 0; from < order.length; from = to) {
    const value = values[order[from]];
    while (values[order[to]] === value) to++;
    if (to - from > best.count) best = { value, count: to - from };
  }
  return best;
}

function midRanks(values: Float64Array, order: Int32Array): Float64Array {
  const m = order.length;
  const ranks = m === values.length ? new Float64Array(m) : new Float64Array(values.length).fill(Number.NaN);
  let value = values[order[0]];
  for (let from = 0, to = 1; to <= m; to++) {
    // Missing, and so another one, behind the last.
    const next = values[order[to]];
    if (next === value) continue;
    for (let at = from; at < to; at++) ranks[order[at]] = (from + 1 + to) / 2;
    [from, value] = [to, next];
  }
  return ranks;
}

export function ascendingRows(values: Float64Array): Int32Array {
  const rows = new Int32Array(values.length);
  let m = 0;
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) rows[m++] = row;
  const present = rows.subarray(0, m);
  return m === values.length ? sortedRows(values) : gather(present, sortedRows(gather(values, present)));
}
