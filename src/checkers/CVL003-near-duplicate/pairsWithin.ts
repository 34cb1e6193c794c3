/** All pairs of rows that are not further apart than a limit: exact, and without looking at most pairs. */
import type { RandomSource } from '../../core/random.js';
import { AXES, BLOCK, type BlockKernel, blockKernel } from './blockKernel.js';
import { shadowOf } from './directions.js';

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
 * The pairs (first < second) with a Euclidean distance of at most `limit`, for which `wanted` holds. Rows are sorted
 * along their first principal component; pairs are given up by their distance along 16 components, then column by
 * column. None is missed: a distance along orthonormal directions is never above the true one.
 */
export function pairsWithin(
  { data, width }: Points,
  limit: number,
  random: RandomSource,
  wanted: (first: number, second: number) => boolean = () => true,
  kernel: BlockKernel = blockKernel(),
): Pairs {
  const n = data.length / width;
  const { order, blocks, ends, largest } = inBlocks({ data, width }, random);
  // Components are rounded, and so are sums of their squares.
  const reach = (limit + Math.sqrt(AXES) * ROUNDING * largest) * (1 + AXES * ROUNDING);
  const square = limit * limit;
  const found: [number[], number[], number[]] = [[], [], []];
  let truncated = false;

  for (let a = 0; a < blocks.length; a++) {
    for (let row = 0; row < BLOCK; row++) {
      for (let axis = 0; axis < AXES; axis++) kernel.rows[row * AXES + axis] = blocks[a][axis * BLOCK + row];
    }
    for (let b = a; b < blocks.length && ends[b].first - ends[a].last <= reach && !truncated; b++) {
      kernel.columns.set(blocks[b]);
      kernel.compare(reach * reach, (row, other) => {
        const [x, y] = [a * BLOCK + row, b * BLOCK + other];
        if (x >= y || y >= n || truncated) return;
        const [i, j] = order[x] < order[y] ? [order[x], order[y]] : [order[y], order[x]];
        const apart = squaredDistance(data, width, i, j, square);
        if (apart > square || !wanted(i, j)) return;
        found[0].push(i);
        found[1].push(j);
        found[2].push(Math.sqrt(apart));
        truncated = found[0].length >= MOST;
      });
    }
  }
  const [first, second, distance] = found;
  return {
    first: Int32Array.from(first),
    second: Int32Array.from(second),
    distance: Float64Array.from(distance),
    truncated,
  };
}

/** The squared distance of two rows; once it is above `enough`, the sum so far. */
export function squaredDistance(data: Float32Array, width: number, i: number, j: number, enough = Infinity): number {
  let [a, b] = [i * width, j * width];
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

/** Rows in the order of their first principal component, as blocks of columns of components. */
function inBlocks({ data, width }: Points, random: RandomSource) {
  const n = data.length / width;
  const { count, data: along } = shadowOf(data, width, Math.min(width, AXES), random);
  const order = Int32Array.from({ length: n }, (_, row) => row).sort((a, b) => along[a * count] - along[b * count]);
  let largest = 0;
  for (const value of along) largest = Math.max(largest, Math.abs(value));
  const blocks = Array.from({ length: Math.ceil(n / BLOCK) }, (_, block) => {
    const columns = new Float32Array(AXES * BLOCK);
    for (let row = 0; row < BLOCK; row++) {
      const from = block * BLOCK + row < n ? order[block * BLOCK + row] * count : -1;
      if (from < 0) columns[row] = NOWHERE;
      for (let axis = 0; axis < count && from >= 0; axis++) columns[axis * BLOCK + row] = along[from + axis];
    }
    return columns;
  });
  const ends = blocks.map((columns, block) => ({
    first: columns[0],
    last: columns[Math.min(BLOCK, n - block * BLOCK) - 1],
  }));
  return { order, blocks, ends, largest };
}
