/** All pairs of rows that are not further apart than a limit: exact, and without looking at most pairs. */
import { placeSmallest } from '../../core/placeSmallest.js';
import type { RandomSource } from '../../core/random.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { rowNumbers } from '../../data/labels.js';
import { dot, OrthonormalBasis } from '../features/orthonormalBasis.js';
import { squaredDistance } from '../features/squaredDistance.js';
import { CODE } from './blockKernelCode.js';

export interface SearchPoints {
  /** `[n, width]`, row-major. */
  readonly data: Float32Array;
  readonly width: number;
}

export interface NearbyPair {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
}

export interface NearbyPairs {
  readonly pairs: readonly NearbyPair[];
  /** There were more; the search ended. */
  readonly truncated: boolean;
}

/** Data in which more pairs than this are near are not judged by all of them. */
const MOST = 200_000;
/** Rounding of a number with 24 bits, with room for a sum of a few. */
const ROUNDING = 1e-6;

/**
 * The pairs (first < second) with a Euclidean distance of at most `limit`, for which `wanted` holds. Rows are put into
 * blocks of neighbours along 16 principal components; pairs of blocks are given up by their boxes, pairs of rows by their
 * distance along the components, then column by column. None is missed: a distance along orthonormal directions is never
 * above the true one.
 */
export async function pairsWithin(
  { data, width }: SearchPoints,
  limit: number,
  random: RandomSource,
  wanted: (first: number, second: number) => boolean = () => true,
  kernel: BlockKernel = blockKernel(),
): Promise<NearbyPairs> {
  const projected = projectOntoPcs(data, width, Math.min(width, AXES), random);
  const size = projected.data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  // Components are rounded, and so are sums of their squares.
  const reach = (limit + Math.sqrt(AXES) * ROUNDING * size) * (1 + AXES * ROUNDING);
  await yieldToPage();
  const order = inBlocks(projected, reach);
  await yieldToPage();
  const blocks = Array.from({ length: Math.ceil(order.length / BLOCK) }, (_, at) =>
    blockOf(projected, order.subarray(at * BLOCK, (at + 1) * BLOCK)),
  );
  const groups = Array.from({ length: Math.ceil(blocks.length / GROUP) }, (_, at) =>
    boxAround(blocks.slice(at * GROUP, (at + 1) * GROUP)),
  );
  const pairs: NearbyPair[] = [];
  for (const [at, block] of blocks.entries()) {
    await yieldToPage();
    for (let axis = 0; axis < AXES; axis++) {
      for (let row = 0; row < BLOCK; row++) kernel.rows[row * AXES + axis] = block.columns[axis * BLOCK + row];
    }
    for (let next = at; next < blocks.length; next++) {
      // Most blocks are passed over together with those next to them.
      if (next % GROUP === 0 && !areNear(block, groups[next / GROUP], reach)) {
        next += GROUP - 1;
        continue;
      }
      const other = blocks[next];
      if (!areNear(block, other, reach)) continue;
      kernel.columns.set(other.columns);
      kernel.compare(reach * reach, (row, place) => {
        if (row >= block.rows.length || place >= other.rows.length || (other === block && row >= place)) return;
        const [a, b] = [block.rows[row], other.rows[place]];
        const [first, second] = a < b ? [a, b] : [b, a];
        const squared = squaredDistance(data, width, first, second, limit * limit);
        if (squared > limit * limit || pairs.length >= MOST || !wanted(first, second)) return;
        pairs.push({ first, second, distance: Math.sqrt(squared) });
      });
      if (pairs.length >= MOST) return { pairs, truncated: true };
    }
  }
  return { pairs, truncated: false };
}

// Rows along a few directions in which they differ most: distances there are never larger than the true ones.

/** Rows along orthonormal directions, `[n, count]`, row-major. */
interface Projection {
  readonly data: Float64Array;
  readonly count: number;
}

/** Directions are learnt from this many rows, in so many rounds. */
const [SAMPLE, ROUNDS] = [300, 2];

/**
 * Projects `[n, width]` rows, less their mean, on `count` orthonormal directions, about their first principal components
 * in descending order. Any orthonormal directions give a true lower bound; these make it a tight one.
 *
 * Source: Halko, Martinsson & Tropp 2011, SIAM Review 53:217 (randomised subspace iteration).
 */
function projectOntoPcs(data: Float32Array, width: number, count: number, random: RandomSource): Projection {
  const n = data.length / width;
  const step = Math.max(1, n / SAMPLE);
  const rows = Array.from({ length: Math.min(n, SAMPLE) }, (_, at) => Math.floor(at * step) * width);
  const mean = new Float64Array(width);
  for (const from of rows) for (let k = 0; k < width; k++) mean[k] += data[from + k] / rows.length;
  const centred = rows.map((from) => mean.map((value, k) => data[from + k] - value));
  const drawn = Array.from({ length: count }, () => mean.map(() => random.random() - 0.5));
  let { basis } = new OrthonormalBasis(drawn);
  for (let round = 0; round < ROUNDS; round++)
    ({ basis } = new OrthonormalBasis(basis.map((axis) => covTimes(centred, axis))));
  const along = new Float64Array(n * count);
  for (const [at, axis] of basis.entries()) {
    const centre = dot(mean, axis);
    for (let row = 0; row < n; row++) {
      let sum = -centre;
      for (let k = 0, from = row * width; k < width; k++, from++) sum += data[from] * axis[k];
      along[row * count + at] = sum;
    }
  }
  return { data: along, count };
}

function covTimes(rows: readonly Float64Array[], axis: Float64Array): Float64Array {
  const next = new Float64Array(axis.length);
  for (const row of rows) {
    const along = dot(row, axis);
    for (let k = 0; k < next.length; k++) next[k] += along * row[k];
  }
  return next;
}

// Rows in blocks of neighbours, so that most pairs of blocks are too far apart to be looked at.

/** Rows of a block, and directions. */
export const [BLOCK, AXES] = [64, 16];
/** Blocks next to each other that are passed over together. */
const GROUP = 64;
/** Where rows are that fill up the last block. */
const NOWHERE = 1e18;

/** Between which places rows are along each direction. */
interface Box {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

interface Block extends Box {
  readonly rows: Int32Array;
  /** Their places along the directions, `[AXES, BLOCK]`. */
  readonly columns: Float32Array;
}

/**
 * The rows, block by block: halved along the first direction in which they lie wider than twice the reach, the widest where there
 * is none, until they fit into one.
 *
 * Source: Bentley 1975, Communications of the ACM 18:509 (k-d trees).
 */
function inBlocks({ data, count }: Projection, reach: number): Int32Array {
  const order = rowNumbers(data.length / count);
  const halve = (from: number, to: number) => {
    if (to - from <= BLOCK) return;
    let [widest, width] = [0, -1];
    for (let axis = 0; axis < count && width <= 2 * reach; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let at = from; at < to; at++) {
        const value = data[order[at] * count + axis];
        if (value < low) low = value;
        if (value > high) high = value;
      }
      if (high - low > width) [widest, width] = [axis, high - low];
    }
    const middle = from + BLOCK * Math.ceil((to - from) / BLOCK / 2);
    placeSmallest(order, from, to - 1, middle, (row) => data[row * count + widest]);
    halve(from, middle);
    halve(middle, to);
  };
  halve(0, order.length);
  return order;
}

function blockOf({ data, count }: Projection, rows: Int32Array): Block {
  const columns = new Float32Array(AXES * BLOCK).fill(NOWHERE, rows.length, BLOCK);
  const [low, high] = [new Float64Array(count).fill(Infinity), new Float64Array(count).fill(-Infinity)];
  rows.forEach((row, at) => {
    for (let axis = 0; axis < count; axis++) {
      const value = data[row * count + axis];
      columns[axis * BLOCK + at] = value;
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    }
  });
  return { rows, columns, low, high };
}

const boxAround = (boxes: readonly Box[]): Box => ({
  low: boxes[0].low.map((_, axis) => Math.min(...boxes.map(({ low }) => low[axis]))),
  high: boxes[0].high.map((_, axis) => Math.max(...boxes.map(({ high }) => high[axis]))),
});

function areNear(one: Box, other: Box, reach: number): boolean {
  let square = 0;
  for (let axis = 0; axis < one.low.length && square <= reach * reach; axis++) {
    square += Math.max(0, one.low[axis] - other.high[axis], other.low[axis] - one.high[axis]) ** 2;
  }
  return square <= reach * reach;
}

// Squared distances between two blocks of rows along a few directions: four at a time where WebAssembly has SIMD, which
// is about six times as fast as numbers one by one. Both ways write the same hits.

/** Two blocks of rows to compare. */
export interface BlockKernel {
  /** `[BLOCK, AXES]`, row-major. */
  readonly rows: Float32Array;
  /** The other block, `[AXES, BLOCK]`. */
  readonly columns: Float32Array;
  /** Calls `hit` with the places of a row and another whose squared distance along the directions is at most `bound`. */
  compare(bound: number, hit: (row: number, other: number) => void): void;
}

export const blockKernel = (): BlockKernel => simdKernel() ?? plainKernel();

export function plainKernel(): BlockKernel {
  const rows = new Float32Array(BLOCK * AXES);
  const columns = new Float32Array(AXES * BLOCK);
  return {
    rows,
    columns,
    compare(bound, hit) {
      for (let row = 0; row < BLOCK; row++) {
        for (let other = 0; other < BLOCK; other++) {
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
    compare(bound, hit) {
      const end = run(bound, ROWS_AT, HITS_AT, 0, BLOCK * 4);
      for (let at = HITS_AT / 4; at < end / 4; at++) {
        // Address of the row, then that of four others, whose last four bits say which of them.
        const row = Math.floor((hits[at] / 1024 - ROWS_AT) / (AXES * 4));
        const other = (hits[at] & 1008) / 4;
        for (let lane = 0; lane < 4; lane++) if ((hits[at] >> lane) & 1) hit(row, other + lane);
      }
    },
  };
}
