/** What of a feature is the same for every class: with it a class costs time by its own rows alone, however many there are. */
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { byRows, type Independent, type Target } from './targets.js';

/** A feature in order, prepared for classes. Rows without a value are left out. */
export interface ClassColumn {
  readonly independent: Independent;
  readonly values: Float64Array;
  /** Rows, ascending by value. */
  readonly order: Int32Array;
  /** Mid-rank of the rows with each value, from 1. */
  readonly ranks: Float64Array;
  /** Place of each row in `order`; -1 without a value. */
  readonly place: Int32Array;
  /** Number of the value at each place, from 0, and the places at which values begin, with the end. */
  readonly level: Int32Array;
  readonly starts: Int32Array;
  /** Place at which the upper one of two heaps begins, where the values lie in two and neither is wider than the gap. */
  readonly gapAt: number | undefined;
  /** Sums by unit of the ranks less their mean, where units have several rows; and the sum of their squares. */
  readonly unitSums: Float64Array | undefined;
  readonly unitSquares: number;
  /** Rows by level and unit; made when first asked for. */
  cells(): Cells;
}

/** Rows of one unit at one level are a cell. */
export interface Cells {
  /** Cell of each row; -1 without a value. */
  readonly of: Int32Array;
  readonly level: Int32Array;
  readonly rows: Int32Array;
  /** Number of units at each level. */
  readonly units: Int32Array;
  /** Rows at levels of one unit alone. */
  readonly lone: number;
}

export function classColumn({ values }: Column, independent: Independent): ClassColumn {
  const { order, distinct } = columnRanks({ values });
  const place = new Int32Array(values.length).fill(-1);
  const level = new Int32Array(order.length);
  const starts = new Int32Array(distinct + 1).fill(order.length);
  const sorted = gather(values, order);
  let [next, before] = [-1, Number.NaN];
  for (let at = 0; at < order.length; at++) {
    if (sorted[at] !== before) {
      starts[++next] = at;
      before = sorted[at];
    }
    level[at] = next;
    place[order[at]] = at;
  }
  const ranks = new Float64Array(distinct);
  for (let at = 0; at < distinct; at++) ranks[at] = (starts[at] + 1 + starts[at + 1]) / 2;
  const unitSums = byRows(independent) ? undefined : new Float64Array(independent.count);
  const middle = (order.length + 1) / 2;
  let unitSquares = 0;
  if (unitSums) {
    for (let at = 0; at < order.length; at++) unitSums[independent.codes[order[at]]] += ranks[level[at]] - middle;
    for (let unit = 0; unit < unitSums.length; unit++) unitSquares += unitSums[unit] ** 2;
  } else {
    for (let at = 0; at < distinct; at++) unitSquares += (starts[at + 1] - starts[at]) * (ranks[at] - middle) ** 2;
  }
  let cells: Cells | undefined;
  return {
    independent,
    values,
    order,
    ranks,
    place,
    level,
    starts,
    gapAt: gapIn(sorted),
    unitSums,
    unitSquares,
    cells() {
      cells ??= cellsOf({ place, level, starts }, independent);
      return cells;
    },
  };
}

/** The share of the places, inverse, from which on a class is found by looking at all. */
const SCAN = 8;

/** Places of the rows of a class, ascending. */
export function classPlaces({ place, order }: ClassColumn, { rows }: Target): Int32Array {
  const places = new Int32Array(rows.length);
  let count = 0;
  for (const row of rows) if (place[row] >= 0) places[count++] = place[row];
  const found = places.subarray(0, count);
  if (SCAN * count < order.length) return found.sort();
  // Looking at every place takes less time than sorting many.
  const isIn = new Uint8Array(order.length);
  for (const at of found) isIn[at] = 1;
  count = 0;
  for (let at = 0; at < isIn.length; at++) if (isIn[at] === 1) found[count++] = at;
  return found;
}

function gapIn(sorted: Float64Array): number | undefined {
  const last = sorted.length - 1;
  const [lowest, highest] = [sorted[0], sorted[last]];
  let [cut, gap, before] = [1, 0, lowest];
  for (let place = 1; place <= last; place++) {
    const value = sorted[place];
    if (place === 1 || value - before > gap) [cut, gap] = [place, value - before];
    before = value;
  }
  return sorted[cut - 1] - lowest <= gap && highest - sorted[cut] <= gap ? cut : undefined;
}

function cellsOf({ place, level, starts }: Pick<ClassColumn, 'place' | 'level' | 'starts'>, independent: Independent) {
  const { codes, order: byUnit } = independent;
  const of = new Int32Array(place.length).fill(-1);
  const units = new Int32Array(starts.length - 1);
  const cellAt = new Int32Array(starts.length - 1);
  const unitAt = new Int32Array(starts.length - 1).fill(-1);
  const [levels, rows]: number[][] = [[], []];
  for (const row of byUnit) {
    if (place[row] < 0) continue;
    const here = level[place[row]];
    if (unitAt[here] !== codes[row]) {
      unitAt[here] = codes[row];
      cellAt[here] = levels.length;
      units[here]++;
      levels.push(here);
      rows.push(0);
    }
    of[row] = cellAt[here];
    rows[cellAt[here]]++;
  }
  const lone = units.reduce((sum, count, here) => sum + (count === 1 ? starts[here + 1] - starts[here] : 0), 0);
  return { of, level: Int32Array.from(levels), rows: Int32Array.from(rows), units, lone };
}
