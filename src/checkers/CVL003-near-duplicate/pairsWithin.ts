/** All pairs of rows that are not further apart than a limit: exact, and without looking at most pairs. */
import type { RandomSource } from '../../core/random.js';
import { AXES, BLOCK, type BlockKernel, blockKernel, PART } from './blockKernel.js';
import { type Shadow, shadowOf } from './directions.js';
import { type NeighbourBlocks, neighbourBlocks } from './neighbourBlocks.js';

/** Rows as points. */
export interface Points {
  /** `[n, width]`, row-major. */
  readonly data: Float32Array;
  readonly width: number;
}

/** Pairs of rows with their distances. */
export interface Pairs {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly distance: Float64Array;
  /** There were more; the search ended. */
  readonly truncated: boolean;
}

/** Data in which more pairs than this are near are not judged by all of them. */
const MOST = 200_000;
/** Rounding of a number with 24 bits, with room for a sum of a few. */
const ROUNDING = 1e-6;
/** Where rows are that fill up the last block. */
const NOWHERE = 1e18;

/**
 * The pairs (first < second) with a Euclidean distance of at most `limit`, for which `wanted` holds. Rows are put into
 * blocks of neighbours along 16 principal components; pairs of blocks are given up by their boxes, pairs of rows by their
 * distance along the components, then column by column. None is missed: a distance along orthonormal directions is never
 * above the true one.
 */
export function pairsWithin(
  { data, width }: Points,
  limit: number,
  random: RandomSource,
  wanted: (first: number, second: number) => boolean = () => true,
  kernel: BlockKernel = blockKernel(),
): Pairs {
  const shadow = shadowOf(data, width, Math.min(width, AXES), random);
  // Components are rounded, and so are sums of their squares.
  const reach = (limit + Math.sqrt(AXES) * ROUNDING * largestSize(shadow.data)) * (1 + AXES * ROUNDING);
  const square = limit * limit;
  const blocks = neighbourBlocks(shadow, reach);
  const search: Search = {
    data,
    width,
    square,
    bound: reach * reach,
    order: blocks.order,
    blocks,
    columns: Array.from({ length: blocks.count }, (_, block) => columnsOf(shadow, blocks.order, block)),
    wanted,
    kernel,
    found: [[], [], []],
  };
  kernel.columns.fill(0);
  let truncated = false;
  for (let block = 0; block < blocks.count && !truncated; block++) {
    kernel.rows.set(rowsOf(search.columns[block], shadow.count));
    for (const other of blocks.near(block)) {
      compareBlocks(search, block, other);
      truncated = search.found[0].length >= MOST;
      if (truncated) break;
    }
  }
  const [first, second, distance] = search.found;
  return {
    first: Int32Array.from(first),
    second: Int32Array.from(second),
    distance: Float64Array.from(distance),
    truncated,
  };
}

function largestSize(values: Float64Array): number {
  let largest = 0;
  for (let at = 0; at < values.length; at++) largest = Math.max(largest, Math.abs(values[at]));
  return largest;
}

/** What is looked for, and what was found so far. */
interface Search {
  readonly data: Float32Array;
  readonly width: number;
  /** Largest squared distance, of rows and along their components. */
  readonly square: number;
  readonly bound: number;
  readonly order: Int32Array;
  readonly blocks: NeighbourBlocks;
  /** Components of each block. */
  readonly columns: readonly Float32Array[];
  readonly wanted: (first: number, second: number) => boolean;
  readonly kernel: BlockKernel;
  readonly found: readonly [first: number[], second: number[], distance: number[]];
}

/** Compares the rows of a block, which the kernel holds, with those of another. */
function compareBlocks(search: Search, block: number, other: number): void {
  const { order, blocks, bound, kernel } = search;
  kernel.columns.set(search.columns[other]);
  const [start, behind] = [block * BLOCK, other * BLOCK];
  for (let from = 0; from < BLOCK && start + from < order.length; from += PART) {
    const others = blocks.nearPart((start + from) / PART, other);
    kernel.compare(bound, [from, from + PART], others, (row, place) => {
      take(search, start + row, behind + place);
    });
  }
}

/** Keeps two rows, by their places in the order, if they are near and wanted. */
function take({ data, width, square, order, wanted, found }: Search, x: number, y: number): void {
  if (x >= y || y >= order.length || found[0].length >= MOST) return;
  const [i, j] = order[x] < order[y] ? [order[x], order[y]] : [order[y], order[x]];
  const apart = squaredDistance(data, width, i, j, square);
  if (apart > square || !wanted(i, j)) return;
  found[0].push(i);
  found[1].push(j);
  found[2].push(Math.sqrt(apart));
}

/** The squared distance of two rows; once it is above `enough`, the sum so far. */
export function squaredDistance(data: Float32Array, width: number, i: number, j: number, enough = Infinity): number {
  let a = i * width;
  let b = j * width;
  let sum = 0;
  for (const end = a + width; a < end && sum <= enough; ) {
    const stop = Math.min(a + 16, end);
    // Four at a time: they do not wait for each other.
    for (; a + 4 <= stop; a += 4, b += 4) {
      const p = data[a] - data[b];
      const q = data[a + 1] - data[b + 1];
      const r = data[a + 2] - data[b + 2];
      const t = data[a + 3] - data[b + 3];
      sum += p * p + q * q + (r * r + t * t);
    }
    for (; a < stop; a++, b++) {
      const gap = data[a] - data[b];
      sum += gap * gap;
    }
  }
  return sum;
}

/** The components of the rows of a block, `[components, BLOCK]`. */
function columnsOf({ data, count }: Shadow, order: Int32Array, block: number): Float32Array {
  const columns = new Float32Array(count * BLOCK);
  for (let row = 0; row < BLOCK; row++) {
    const from = block * BLOCK + row < order.length ? order[block * BLOCK + row] * count : -1;
    if (from < 0) columns[row] = NOWHERE;
    for (let axis = 0; axis < count && from >= 0; axis++) columns[axis * BLOCK + row] = data[from + axis];
  }
  return columns;
}

/** The same components as the kernel takes those of rows, `[BLOCK, AXES]`. */
function rowsOf(columns: Float32Array, count: number): Float32Array {
  const rows = new Float32Array(BLOCK * AXES);
  for (let row = 0; row < BLOCK; row++) {
    for (let axis = 0; axis < count; axis++) rows[row * AXES + axis] = columns[axis * BLOCK + row];
  }
  return rows;
}
