/** Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at. */
import { rowNumbers } from '../../data/labels.js';
import { BLOCK } from './blockKernel.js';
import type { Shadow } from './directions.js';

export interface NeighbourBlocks {
  /** The rows, block by block: `BLOCK` in each but the last. */
  readonly order: Int32Array;
  readonly count: number;
  /** The blocks from `block` on of which rows may be as near as `reach` to rows of it. */
  near(block: number): number[];
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

  const boxes = { low, high, axes };
  const groups = joined(boxes, count);
  return {
    order,
    count,
    near(block) {
      const found: number[] = [];
      for (let from = block - (block % GROUP); from < count; from += GROUP) {
        if (!areNear(boxes, block, groups, from / GROUP, reach)) continue;
        for (let other = Math.max(block, from); other < Math.min(count, from + GROUP); other++) {
          if (areNear(boxes, block, boxes, other, reach)) found.push(other);
        }
      }
      return found;
    },
  };
}

/** The ends of boxes along each axis, `[boxes, axes]`. */
interface Boxes {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly axes: number;
}

/** So many blocks that follow each other lie together, and are given up together. */
const GROUP = 32;

/** The boxes of groups of blocks. */
function joined({ low, high, axes }: Boxes, count: number): Boxes {
  const size = Math.ceil(count / GROUP) * axes;
  const groups = { low: new Float64Array(size).fill(Infinity), high: new Float64Array(size).fill(-Infinity), axes };
  for (let at = 0; at < count * axes; at++) {
    const to = Math.floor(at / (GROUP * axes)) * axes + (at % axes);
    groups.low[to] = Math.min(groups.low[to], low[at]);
    groups.high[to] = Math.max(groups.high[to], high[at]);
  }
  return groups;
}

/** Whether the distance of two boxes is at most `reach`. */
function areNear(some: Boxes, a: number, others: Boxes, b: number, reach: number): boolean {
  const { axes } = some;
  let square = 0;
  for (let axis = 0, p = a * axes, q = b * axes; axis < axes; axis++, p++, q++) {
    const gap = Math.max(some.low[p] - others.high[q], others.low[q] - some.high[p]);
    if (gap > 0) square += gap * gap;
    if (square > reach * reach) return false;
  }
  return true;
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
