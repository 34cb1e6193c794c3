/** Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at. */
import { rowNumbers } from '../../data/labels.js';
import { BLOCK, PART, type Places } from './blockKernel.js';
import type { Shadow } from './directions.js';

export interface NeighbourBlocks {
  /** The rows, block by block: `BLOCK` in each but the last. */
  readonly order: Int32Array;
  readonly count: number;
  /** The blocks from `block` on of which rows may be as near as `reach` to rows of it. */
  near(block: number): number[];
  /** Places in `block`, by whole parts, of which rows may be as near as `reach` to rows of a part. */
  nearPart(part: number, block: number): Places;
}

/**
 * Rows are halved along the first direction in which they lie wider than twice `reach`, the widest where there is none,
 * until they fit into a block, and into a part of it: a k-d tree that cuts where it parts rows. Source: Bentley 1975, Communications of the ACM
 * 18:509.
 *
 * @param reach distance up to which blocks count as near
 */
export function neighbourBlocks({ data, count: axes }: Shadow, reach: number): NeighbourBlocks {
  const order = rowNumbers(data.length / axes);
  const key = (at: number, axis: number) => data[order[at] * axes + axis];
  const count = Math.ceil(order.length / BLOCK);
  const parts: Boxes = boxesOf(Math.ceil(order.length / PART), axes);

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
    if (to - from <= PART) {
      for (let axis = 0; axis < axes && from < to; axis++) {
        const at = (from / PART) * axes + axis;
        [parts.low[at], parts.high[at]] = spanOf(from, to, axis);
      }
      return;
    }
    const unit = to - from > BLOCK ? BLOCK : PART;
    const middle = from + unit * Math.ceil((to - from) / unit / 2);
    select(order, [from, to - 1], middle, { data, count: axes }, axisFor(from, to));
    halve(from, middle);
    halve(middle, to);
  };
  halve(0, order.length);

  const blocks = joined(parts, BLOCK / PART);
  const groups = joined(blocks, GROUP);
  return {
    order,
    count,
    near(block) {
      const found: number[] = [];
      for (let from = block - (block % GROUP); from < count; from += GROUP) {
        if (!areNear(blocks, block, groups, from / GROUP, reach)) continue;
        for (let other = Math.max(block, from); other < Math.min(count, from + GROUP); other++) {
          if (areNear(blocks, block, blocks, other, reach)) found.push(other);
        }
      }
      return found;
    },
    nearPart(part, block) {
      const first = (block * BLOCK) / PART;
      let [from, to] = [first, Math.min(parts.count, first + BLOCK / PART)];
      while (from < to && !areNear(parts, part, parts, from, reach)) from++;
      while (from < to && !areNear(parts, part, parts, to - 1, reach)) to--;
      return [(from - first) * PART, (to - first) * PART];
    },
  };
}

/** The ends of boxes along each axis, `[boxes, axes]`. */
interface Boxes {
  readonly count: number;
  readonly axes: number;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const boxesOf = (count: number, axes: number): Boxes => ({
  count,
  axes,
  low: new Float64Array(count * axes).fill(Infinity),
  high: new Float64Array(count * axes).fill(-Infinity),
});

/** So many blocks that follow each other lie together, and are given up together. */
const GROUP = 32;

/** The boxes of as many boxes that follow each other. */
function joined({ count, axes, low, high }: Boxes, many: number): Boxes {
  const wider = boxesOf(Math.ceil(count / many), axes);
  for (let at = 0; at < count * axes; at++) {
    const to = Math.floor(at / (many * axes)) * axes + (at % axes);
    wider.low[to] = Math.min(wider.low[to], low[at]);
    wider.high[to] = Math.max(wider.high[to], high[at]);
  }
  return wider;
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
