/** What of a feature is the same for every class: with it a class costs time by its own rows alone, however many there are. */
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import type { Independent, Target } from './targets.js';

export interface ClassColumn {
  readonly independent: Independent;
  readonly kind: Column['kind'];
  readonly values: Float64Array;
  readonly order: Int32Array;
  readonly ranks: Float64Array;
  readonly place: Int32Array;
  /** Number of the value at each place, from 0, and the places at which values begin, with the end. */
  readonly level: Int32Array;
  readonly starts: Int32Array;
  /** Place at which the upper one of two heaps begins, where the values lie in two and neither is wider than the gap. */
  readonly gapAt: number | undefined;
  /** Sums by unit of the ranks less their mean, and the sum of their squares. */
  readonly unitSums: Float64Array;
  readonly unitSquares: number;
  cells(): Cells;
}

/** Rows of one unit at one level are a cell. */
interface Cells {
  readonly of: Int32Array;
  readonly level: Int32Array;
  readonly rows: Int32Array;
  readonly units: Int32Array;
  /** Rows at levels of one unit alone. */
  readonly lone: number;
}

export function classColumn({ kind, values }: Column, independent: Independent): ClassColumn {
  const { order, distinct } = columnRanks({ values });
  const place = new Int32Array(values.length).fill(-1);
  const level = new Int32Array(order.length);
  const starts = new Int32Array(distinct + 1).fill(order.length);
  const sorted = gather(values, order);
  let next = -1;
  for (let at = 0; at < order.length; at++) {
    if (at === 0 || sorted[at] !== sorted[at - 1]) starts[++next] = at;
    level[at] = next;
    place[order[at]] = at;
  }
  const ranks = new Float64Array(distinct);
  for (let at = 0; at < distinct; at++) ranks[at] = (starts[at] + 1 + starts[at + 1]) / 2;
  const unitSums = new Float64Array(independent.count);
  const middle = (order.length + 1) / 2;
  for (let at = 0; at < order.length; at++) unitSums[independent.codes[order[at]]] += ranks[level[at]] - middle;
  let cells: Cells | undefined;
  return {
    independent,
    kind,
    values,
    order,
    ranks,
    place,
    level,
    starts,
    gapAt: gapIn(sorted),
    unitSums,
    unitSquares: unitSums.reduce((sum, each) => sum + each ** 2, 0),
    cells: () => (cells ??= cellsOf({ place, level, starts }, independent)),
  };
}

/** The share of the places, inverse, from which on looking at all takes less time than sorting those of a class. */
const SCAN = 8;

export function classPlaces({ place, order }: ClassColumn, { rows }: Target): Int32Array {
  const places = new Int32Array(rows.length);
  let count = 0;
  for (const row of rows) if (place[row] >= 0) places[count++] = place[row];
  const known = places.subarray(0, count);
  if (SCAN * count < order.length) return known.sort();
  const isIn = new Uint8Array(order.length);
  for (const at of known) isIn[at] = 1;
  for (let at = 0, next = 0; at < isIn.length; at++) if (isIn[at] === 1) known[next++] = at;
  return known;
}

function gapIn(sorted: Float64Array): number | undefined {
  let [cut, gap] = [1, sorted[1] - sorted[0]];
  for (let at = 2; at < sorted.length; at++) {
    if (sorted[at] - sorted[at - 1] > gap) [cut, gap] = [at, sorted[at] - sorted[at - 1]];
  }
  const isWide = sorted[cut - 1] - sorted[0] <= gap && sorted[sorted.length - 1] - sorted[cut] <= gap;
  return isWide ? cut : undefined;
}

function cellsOf(
  { place, level, starts }: Pick<ClassColumn, 'place' | 'level' | 'starts'>,
  { codes, order: byUnit }: Independent,
): Cells {
  const of = new Int32Array(place.length).fill(-1);
  const units = new Int32Array(starts.length - 1);
  const cellAt = new Int32Array(starts.length - 1);
  const unitAt = new Int32Array(starts.length - 1).fill(-1);
  const [levels, rows] = [new Int32Array(level.length), new Int32Array(level.length)];
  let count = 0;
  for (const row of byUnit) {
    if (place[row] < 0) continue;
    const here = level[place[row]];
    if (unitAt[here] !== codes[row]) {
      unitAt[here] = codes[row];
      units[here]++;
      levels[count] = here;
      cellAt[here] = count++;
    }
    of[row] = cellAt[here];
    rows[cellAt[here]]++;
  }
  const lone = units.reduce((sum, count, here) => sum + (count === 1 ? starts[here + 1] - starts[here] : 0), 0);
  return { of, level: levels.subarray(0, count), rows: rows.subarray(0, count), units, lone };
}
