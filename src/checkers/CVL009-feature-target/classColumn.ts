/** What of a feature is the same for every class: with it a class costs time by its own rows alone, however many there are. */
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import type { Independent, Target } from './targets.js';

/** A feature in order, prepared for classes. Rows without a value are left out. */
export interface ClassColumn {
  readonly independent: Independent;
  readonly values: Float64Array;
  /** Rows, ascending by value. */
  readonly order: Int32Array;
  /** Mid-rank of each row, from 1. */
  readonly ranks: Float64Array;
  /** Place of each row in `order`; -1 without a value. */
  readonly place: Int32Array;
  /** Number of the value at each place, from 0, and the places at which values begin, with the end. */
  readonly level: Int32Array;
  readonly starts: Int32Array;
  /** Place at which the upper one of two heaps begins, where the values lie in two and neither is wider than the gap. */
  readonly gapAt: number | undefined;
  /** Sums by unit of the ranks less their mean, and the sum of their squares. */
  readonly unitSums: Float64Array;
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
  const { order, ranks, distinct } = columnRanks({ values });
  const place = new Int32Array(values.length).fill(-1);
  const level = new Int32Array(order.length);
  const starts = new Int32Array(distinct + 1).fill(order.length);
  let next = -1;
  for (let at = 0; at < order.length; at++) {
    if (at === 0 || values[order[at]] !== values[order[at - 1]]) starts[++next] = at;
    level[at] = next;
    place[order[at]] = at;
  }
  const unitSums = new Float64Array(independent.count);
  const middle = (order.length + 1) / 2;
  for (const row of order) unitSums[independent.codes[row]] += ranks[row] - middle;
  let made: Cells | undefined;
  return {
    independent,
    values,
    order,
    ranks,
    place,
    level,
    starts,
    gapAt: gapIn(values, order),
    unitSums,
    unitSquares: unitSums.reduce((sum, each) => sum + each * each, 0),
    cells() {
      made ??= cellsOf({ place, level, starts }, independent);
      return made;
    },
  };
}

/** Places of the rows of a class, ascending. */
export function placesOf({ place }: ClassColumn, { rows }: Target): Int32Array {
  const places = new Int32Array(rows.length);
  let count = 0;
  for (const row of rows) if (place[row] >= 0) places[count++] = place[row];
  return places.subarray(0, count).sort();
}

function gapIn(values: Float64Array, order: Int32Array): number | undefined {
  const at = (place: number) => values[order[place]];
  const last = order.length - 1;
  let cut = 1;
  for (let place = 2; place <= last; place++) if (at(place) - at(place - 1) > at(cut) - at(cut - 1)) cut = place;
  const gap = at(cut) - at(cut - 1);
  return at(cut - 1) - at(0) <= gap && at(last) - at(cut) <= gap ? cut : undefined;
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
