/** Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at. */
import { rowNumbers } from '../../data/labels.js';
import { BLOCK } from './blockKernel.js';
import type { Shadow } from './directions.js';

export interface NeighbourBlocks {
  /** The rows, block by block: `BLOCK` in each but the last. */
  readonly order: Int32Array;
  readonly count: number;
  /** Whether rows of two blocks may be as near as `reach`. */
  mayBeNear(a: number, b: number): boolean;
}

/**
 * Rows are halved along the first direction in which they lie wider than twice `reach`, the widest where there is none,
 * until they fit into a block: a k-d tree that cuts where it parts rows. Source: Bentley 1975, Communications of the ACM
 * 18:509.
 *
 * @param reach distance up to which blocks count as near
 */
export function neighbourBlocks({ data, count: axes }: Shadow, reach: number): NeighbourBlocks {
  const order = rowNumbers(data.length / axes);
  const key = (at: number, axis: number) => data[order[at] * axes + axis];
  const count = Math.ceil(order.length / BLOCK);
  const [low, high] = [new Float64Array(count * axes), new Float64Array(count * axes)];

  const spanOf = (from: number, to: number, axis: number) => {
    let [least, most] = [Infinity, -Infinity];
    for (let at = from; at < to; at++) {
      const value = key(at, axis);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    return [least, most] as const;
  };
  const axisFor = (from: number, to: number) => {
    let [widest, width] = [0, -1];
    for (let axis = 0; axis < axes; axis++) {
      const [least, most] = spanOf(from, to, axis);
      if (most - least > 2 * reach) return axis;
      if (most - least > width) [widest, width] = [axis, most - least];
    }
    return widest;
  };
  const halve = (from: number, to: number) => {
    const blocks = Math.ceil((to - from) / BLOCK);
    if (blocks <= 1) {
      for (let axis = 0; axis < axes && from < to; axis++) {
        const at = (from / BLOCK) * axes + axis;
        [low[at], high[at]] = spanOf(from, to, axis);
      }
      return;
    }
    const middle = from + BLOCK * Math.ceil(blocks / 2);
    select(order, [from, to - 1], middle, { data, count: axes }, axisFor(from, to));
    halve(from, middle);
    halve(middle, to);
  };
  halve(0, order.length);

  return {
    order,
    count,
    mayBeNear(a, b) {
      let square = 0;
      for (let axis = 0; axis < axes; axis++) {
        const [p, q] = [a * axes + axis, b * axes + axis];
        const gap = Math.max(low[p] - high[q], low[q] - high[p]);
        if (gap > 0) square += gap * gap;
        if (square > reach * reach) return false;
      }
      return true;
    },
  };
}

/** Puts the rows in whose key is smallest before place `wanted` of `from ... to` (Hoare 1961, CACM 4:321). */
function select(
  order: Int32Array,
  [from, to]: readonly [number, number],
  wanted: number,
  { data, count: axes }: Shadow,
  axis: number,
): void {
  let [left, right] = [from, to];
  while (left < right) {
    const pivot = data[order[(left + right) >> 1] * axes + axis];
    let [i, j] = [left, right];
    while (i <= j) {
      while (data[order[i] * axes + axis] < pivot) i++;
      while (data[order[j] * axes + axis] > pivot) j--;
      if (i > j) break;
      const row = order[i];
      order[i++] = order[j];
      order[j--] = row;
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else return;
  }
}
