import { placeSmallest } from '../../core/placeSmallest.js';

/** How far apart two points are: root of summed squares, sum of absolute differences, or the largest of them. */
export type DistanceMetric = 'euclidean' | 'manhattan' | 'chebyshev';

/** Points per leaf: fewer cost memory, more cost time; the optimum is flat. */
const LEAF_SIZE = 8;

/**
 * A tree over points of any width: O(n log n) time and O(n) memory to build, O(log n) time per query on data that are
 * not adversarial; every node keeps its bounding box, so that duplicate and collinear points cost nothing extra. Equals
 * an exhaustive search to the last bit for numbers up to 1e150.
 *
 * Source: Bentley 1975, Communications of the ACM 18:509; boxes as in Omohundro 1989, "Five balltree construction
 * algorithms".
 *
 * @example
 * new KdTree(Float64Array.of(0, 0, 3, 4), 2).nearest(Float64Array.of(0, 1), 0); // 1
 */
export class KdTree {
  readonly #width: number;
  readonly #metric: DistanceMetric;
  /** Row of each point in the order of the tree: every node owns a range. */
  readonly #rows: Int32Array;
  readonly #points: Float64Array;
  /** Levels below the root; the children of node i are 2i + 1 and 2i + 2. */
  readonly #depth: number;
  /** Lowest, then highest corner of each node's points. */
  readonly #boxes: Float64Array;
  readonly #query: Float64Array;
  #skips: ((row: number) => boolean) | undefined;

  constructor(points: Float64Array, width: number, metric: DistanceMetric = 'euclidean', rows?: Int32Array) {
    const n = points.length / width;
    this.#width = width;
    this.#metric = metric;
    this.#rows = rows ? rows.slice() : Int32Array.from({ length: n }, (_, row) => row);
    this.#depth = Math.max(0, Math.ceil(Math.log2(this.#rows.length / LEAF_SIZE)));
    this.#boxes = new Float64Array((2 ** (this.#depth + 1) - 1) * 2 * width);
    this.#query = new Float64Array(width);
    this.#build(points, 0, 0, this.#rows.length, 0);
    this.#points = new Float64Array(this.#rows.length * width);
    for (const [at, row] of this.#rows.entries()) {
      for (let axis = 0; axis < width; axis++) this.#points[at * width + axis] = points[row * width + axis];
    }
  }

  /** From row `row` of `points` to the nearest point other than row `skip`; Infinity when there is none. */
  nearest(points: Float64Array, row: number, skip = -1): number {
    this.#ask(points, row, (other) => other === skip);
    return this.#search(0, 0, this.#rows.length, 0, Number.POSITIVE_INFINITY, false);
  }

  hasNearer(points: Float64Array, row: number, radius: number, skips?: (row: number) => boolean): boolean {
    this.#ask(points, row, skips);
    return this.#search(0, 0, this.#rows.length, 0, radius, true) < radius;
  }

  #ask(points: Float64Array, row: number, skips: ((row: number) => boolean) | undefined): void {
    for (let axis = 0; axis < this.#width; axis++) this.#query[axis] = points[row * this.#width + axis];
    this.#skips = skips;
  }

  /** Distance of the nearest point below `limit` in the node, else `limit`; with `any`, of the first such point. */
  #search(node: number, start: number, end: number, level: number, limit: number, any: boolean): number {
    if (start === end || this.#toBox(node) >= limit) return limit;
    if (level === this.#depth) return this.#scan(start, end, limit, any);
    const middle = (start + end) >> 1;
    const [left, right] = [2 * node + 1, 2 * node + 2];
    const leftFirst = this.#toBox(left) <= this.#toBox(right);
    const nearer = leftFirst
      ? this.#search(left, start, middle, level + 1, limit, any)
      : this.#search(right, middle, end, level + 1, limit, any);
    if (any && nearer < limit) return nearer;
    return leftFirst
      ? this.#search(right, middle, end, level + 1, nearer, any)
      : this.#search(left, start, middle, level + 1, nearer, any);
  }

  #scan(start: number, end: number, limit: number, any: boolean): number {
    let nearest = limit;
    for (let at = start; at < end; at++) {
      const distance = this.#toPoint(at);
      if (distance >= nearest || this.#skips?.(this.#rows[at])) continue;
      nearest = distance;
      if (any) break;
    }
    return nearest;
  }

  #toPoint(at: number): number {
    let sum = 0;
    for (let axis = 0; axis < this.#width; axis++) {
      sum = this.#plus(sum, Math.abs(this.#points[at * this.#width + axis] - this.#query[axis]));
    }
    return this.#metric === 'euclidean' ? Math.sqrt(sum) : sum;
  }

  /** Never more than the distance to a point in the box, also after rounding: each step rounds monotonously. */
  #toBox(node: number): number {
    const width = this.#width;
    let sum = 0;
    for (let axis = 0; axis < width; axis++) {
      const below = this.#boxes[2 * node * width + axis] - this.#query[axis];
      const above = this.#query[axis] - this.#boxes[(2 * node + 1) * width + axis];
      sum = this.#plus(sum, below > 0 ? below : above > 0 ? above : 0);
    }
    return this.#metric === 'euclidean' ? Math.sqrt(sum) : sum;
  }

  #plus(sum: number, difference: number): number {
    if (this.#metric === 'euclidean') return sum + difference * difference;
    return this.#metric === 'manhattan' ? sum + difference : Math.max(sum, difference);
  }

  #build(points: Float64Array, node: number, start: number, end: number, level: number): void {
    const width = this.#width;
    const low = this.#boxes.subarray(2 * node * width, (2 * node + 1) * width).fill(Number.POSITIVE_INFINITY);
    const high = this.#boxes.subarray((2 * node + 1) * width, (2 * node + 2) * width).fill(Number.NEGATIVE_INFINITY);
    for (let at = start; at < end; at++) {
      for (let axis = 0; axis < width; axis++) {
        const value = points[this.#rows[at] * width + axis];
        if (value < low[axis]) low[axis] = value;
        if (value > high[axis]) high[axis] = value;
      }
    }
    if (level === this.#depth) return;
    let longest = 0;
    for (let axis = 1; axis < width; axis++) {
      if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    }
    const middle = (start + end) >> 1;
    placeSmallest(this.#rows, start, end - 1, middle, (row) => points[row * width + longest]);
    this.#build(points, 2 * node + 1, start, middle, level + 1);
    this.#build(points, 2 * node + 2, middle, end, level + 1);
  }
}
