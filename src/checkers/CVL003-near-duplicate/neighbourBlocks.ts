/** Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at. */
import { gather, rowNumbers } from '../../data/labels.js';
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
 * until they fit into a block, and into a part of it: a k-d tree that cuts where it parts rows. Source: Bentley 1975,
 * Communications of the ACM 18:509.
 *
 * @param reach distance up to which blocks count as near
 */
export function neighbourBlocks(shadow: Shadow, reach: number): NeighbourBlocks {
  const axes = shadow.count;
  const n = shadow.data.length / axes;
  const count = Math.ceil(n / BLOCK);
  // Rows that lie together are put together once, so that later halves read them from the cache.
  const rough = halved(shadow, reach, rowNumbers(n), [0, n], CHUNK);
  const gathered = { data: new Float64Array(shadow.data.length), count: axes };
  rough.forEach((row, at) => {
    for (let axis = 0; axis < axes; axis++) gathered.data[at * axes + axis] = shadow.data[row * axes + axis];
  });
  const places = rowNumbers(n);
  for (let from = 0; from < n; from += CHUNK) halved(gathered, reach, places, [from, Math.min(n, from + CHUNK)], PART);
  const order = gather(rough, places);
  const parts = boxesOf(Math.ceil(n / PART), axes);
  places.forEach((place, at) => {
    const box = Math.floor(at / PART) * axes;
    for (let axis = 0; axis < axes; axis++) {
      const value = gathered.data[place * axes + axis];
      if (value < parts.low[box + axis]) parts.low[box + axis] = value;
      if (value > parts.high[box + axis]) parts.high[box + axis] = value;
    }
  });

  const blocks = joined(parts, BLOCK / PART);
  const groups = joined(blocks, GROUP);
  return {
    order,
    count,
    near: (block) => nearBlocks(blocks, groups, block, reach),
    nearPart: (part, block) => nearPlaces(parts, part, block, reach),
  };
}

function nearBlocks(blocks: Boxes, groups: Boxes, block: number, reach: number): number[] {
  const found: number[] = [];
  for (let from = block - (block % GROUP); from < blocks.count; from += GROUP) {
    if (!areNear(blocks, block, groups, from / GROUP, reach)) continue;
    for (let other = Math.max(block, from); other < Math.min(blocks.count, from + GROUP); other++) {
      if (areNear(blocks, block, blocks, other, reach)) found.push(other);
    }
  }
  return found;
}

function nearPlaces(parts: Boxes, part: number, block: number, reach: number): Places {
  const first = (block * BLOCK) / PART;
  let [from, to] = [first, Math.min(parts.count, first + BLOCK / PART)];
  while (from < to && !areNear(parts, part, parts, from, reach)) from++;
  while (from < to && !areNear(parts, part, parts, to - 1, reach)) to--;
  return [(from - first) * PART, (to - first) * PART];
}

/** Rows that are halved where they stand: a multiple of a block whose components fit into the cache. */
const CHUNK = 64 * BLOCK;

/** Halves rows of the order until there are `least` or fewer, whole blocks as long as there are several. */
function halved(
  { data, count: axes }: Shadow,
  reach: number,
  order: Int32Array,
  [from, to]: readonly [number, number],
  least: number,
): Int32Array {
  if (to - from <= least) return order;
  const unit = [CHUNK, BLOCK, PART].find((size) => to - from > size) as number;
  const middle = from + unit * Math.ceil((to - from) / unit / 2);
  let [widest, width] = [0, -1];
  for (let axis = 0; axis < axes && width <= 2 * reach; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = from; at < to; at++) {
      const value = data[order[at] * axes + axis];
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (high - low > width) [widest, width] = [axis, high - low];
  }
  select(order, [from, to - 1], middle, { data, count: axes }, widest);
  halved({ data, count: axes }, reach, order, [from, middle], least);
  return halved({ data, count: axes }, reach, order, [middle, to], least);
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
