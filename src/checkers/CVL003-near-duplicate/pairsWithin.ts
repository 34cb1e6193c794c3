/** All pairs of rows that are not further apart than a limit: exact, and without looking at most pairs. */
import type { RandomSource } from '../../core/random.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { CODE } from './blockKernelCode.js';
import { type Projection, projectOntoPcs } from './directions.js';

// Squared distances between two blocks of rows along a few directions: four at a time where WebAssembly has SIMD, which
// is about six times as fast as numbers one by one. Both ways write the same hits.

/** Rows of a block and of a part of it, and directions. */
export const [BLOCK, PART, AXES] = [64, 16, 16];
/** Places in a block, from a multiple of four to another. */
export type Places = readonly [from: number, to: number];

/** Two blocks of rows to compare. Rows that are left over must be far from all others. */
export interface BlockKernel {
  /** `[BLOCK, AXES]`, row-major. */
  readonly rows: Float32Array;
  /** The other block, `[AXES, BLOCK]`. */
  readonly columns: Float32Array;
  /** Calls `hit` with those places of some rows and others whose squared distance along the directions is at most `bound`. */
  compare(bound: number, rows: Places, others: Places, hit: (row: number, other: number) => void): void;
}

export const blockKernel = (): BlockKernel => simdKernel() ?? plainKernel();

export function plainKernel(): BlockKernel {
  const rows = new Float32Array(BLOCK * AXES);
  const columns = new Float32Array(AXES * BLOCK);
  return {
    rows,
    columns,
    compare(bound, [from, to], [first, end], hit) {
      for (let row = from; row < to; row++) {
        for (let other = first; other < end; other++) {
          let sum = 0;
          for (let axis = 0; axis < AXES && sum <= bound; axis++) {
            const gap = rows[row * AXES + axis] - columns[axis * BLOCK + other];
            sum += gap * gap;
          }
          if (sum <= bound) hit(row, other);
        }
      }
    },
  };
}

/** Where the rows and the hits stand in the memory of `blockKernel.wat`, in bytes. */
const [ROWS_AT, HITS_AT] = [AXES * BLOCK * 4, 2 * AXES * BLOCK * 4];

/** Undefined where WebAssembly is absent, forbidden, without SIMD or without memory. */
export function simdKernel(): BlockKernel | undefined {
  const code = Uint8Array.from(atob(CODE), (letter) => letter.charCodeAt(0));
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(code)) return undefined;
  let exported: WebAssembly.Exports;
  try {
    exported = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
  } catch (error) {
    // A page whose policy forbids WebAssembly says so only here; so does a process without room for its memory.
    if (error instanceof WebAssembly.CompileError || error instanceof RangeError) return undefined;
    throw error;
  }
  const { buffer } = exported.memory as WebAssembly.Memory;
  const run = exported.run as (...values: number[]) => number;
  const hits = new Uint32Array(buffer);
  return {
    rows: new Float32Array(buffer, ROWS_AT, BLOCK * AXES),
    columns: new Float32Array(buffer, 0, AXES * BLOCK),
    compare(bound, [from, to], [first, last], hit) {
      // The loops run once at least.
      if (from >= to || first >= last) return;
      const end = run(bound, ROWS_AT + from * AXES * 4, ROWS_AT + to * AXES * 4, first * 4, last * 4);
      readHits(hits, end / 4, hit);
    },
  };
}

function readHits(hits: Uint32Array, end: number, hit: (row: number, other: number) => void): void {
  for (let at = HITS_AT / 4; at < end; at++) {
    // Address of the row, then that of four others, whose last four bits say which of them.
    const row = (hits[at] / 1024 - ROWS_AT) / (AXES * 4);
    const other = (hits[at] & 1008) / 4;
    for (let lane = 0; lane < 4; lane++) if ((hits[at] >> lane) & 1) hit(Math.floor(row), other + lane);
  }
}

export interface Points {
  /** `[n, width]`, row-major. */
  readonly data: Float32Array;
  readonly width: number;
}

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
  const shadow = projectOntoPcs(data, width, Math.min(width, AXES), random);
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

interface Search {
  readonly data: Float32Array;
  readonly width: number;
  /** Largest squared distance, of rows and along their components. */
  readonly square: number;
  readonly bound: number;
  readonly order: Int32Array;
  readonly blocks: NeighbourBlocks;
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

function take({ data, width, square, order, wanted, found }: Search, x: number, y: number): void {
  if (x >= y || y >= order.length || found[0].length >= MOST) return;
  const [i, j] = order[x] < order[y] ? [order[x], order[y]] : [order[y], order[x]];
  const squared = squaredDistance(data, width, i, j, square);
  if (squared > square || !wanted(i, j)) return;
  found[0].push(i);
  found[1].push(j);
  found[2].push(Math.sqrt(squared));
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

function columnsOf({ data, count }: Projection, order: Int32Array, block: number): Float32Array {
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

// Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at.

interface NeighbourBlocks {
  /** The rows, block by block: `BLOCK` in each but the last. */
  readonly order: Int32Array;
  readonly count: number;
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
export function neighbourBlocks(shadow: Projection, reach: number): NeighbourBlocks {
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
  { data, count: axes }: Projection,
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

function joined({ count, axes, low, high }: Boxes, many: number): Boxes {
  const wider = boxesOf(Math.ceil(count / many), axes);
  for (let at = 0; at < count * axes; at++) {
    const to = Math.floor(at / (many * axes)) * axes + (at % axes);
    wider.low[to] = Math.min(wider.low[to], low[at]);
    wider.high[to] = Math.max(wider.high[to], high[at]);
  }
  return wider;
}

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
  { data, count: axes }: Projection,
  axis: number,
): void {
  let [low, high] = [from, to];
  while (low < high) {
    const pivot = data[order[(low + high) >> 1] * axes + axis];
    let [i, j] = [low, high];
    while (i <= j) {
      while (data[order[i] * axes + axis] < pivot) i++;
      while (data[order[j] * axes + axis] > pivot) j--;
      if (i > j) break;
      const row = order[i];
      order[i++] = order[j];
      order[j--] = row;
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else return;
  }
}
