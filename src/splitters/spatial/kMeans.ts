import { type RandomSource, randomInterval } from '../../core/random.js';
import { tally } from '../../data/encode.js';

const MAX_ITERATIONS = 100;
const TOLERANCE = 1e-4;
/** Squared distance below which two points are one: its fractions are still above 0. */
const SAME_POINT = 1e-300;

/**
 * The cluster 0 ... k-1 of each of the `n` points, by Lloyd's algorithm from a k-means++ start. Equal points (nearer
 * than 1e-150) share a cluster and no cluster is empty; with fewer than `k` distinct values {@link clusterCount} is
 * below `k`. O(n k width) per iteration, at most 100 iterations.
 *
 * @param points n rows of `width` numbers up to 1e150, row after row; read only
 *
 * Source: Arthur & Vassilvitskii 2007, SODA (k-means++); Lloyd 1982, IEEE Trans. Inf. Theory 28.
 */
export function kMeans(points: Float64Array, width: number, k: number, source: RandomSource): Int32Array {
  const search = new Search(points, width);
  const centres = search.spread(k, source);
  let clusters = search.assign(centres);
  let before = search.inertia();
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    clusters = search.assign(search.means(clusters, centres.length / width));
    const inertia = search.inertia();
    if (before - inertia <= TOLERANCE * before) break;
    before = inertia;
  }
  return clusters;
}

/** Number of clusters behind the codes of {@link kMeans}. */
export function clusterCount(clusters: Int32Array): number {
  let last = -1;
  for (let row = 0; row < clusters.length; row++) last = Math.max(last, clusters[row]);
  return last + 1;
}

class Search {
  readonly #points: Float64Array;
  readonly #width: number;
  readonly #n: number;
  readonly #nearest: Float64Array;

  constructor(points: Float64Array, width: number) {
    this.#points = points;
    this.#width = width;
    this.#n = points.length / width;
    this.#nearest = new Float64Array(this.#n);
  }

  /** k-means++: each next centre is a row drawn with weight by its squared distance to the centres so far. */
  spread(k: number, source: RandomSource): Float64Array {
    const centres = new Float64Array(k * this.#width);
    const clusters = new Int32Array(this.#n);
    this.#nearest.fill(Number.POSITIVE_INFINITY);
    let row = randomInterval(source, this.#n - 1);
    for (let cluster = 0; cluster < k; cluster++) {
      this.#moveTo(row, cluster, centres, clusters);
      // Every row is at a centre: there are no more distinct values.
      if (this.#nearest[this.#farthest()] < SAME_POINT) return centres.slice(0, (cluster + 1) * this.#width);
      row = this.#rowAt(source.random() * this.inertia());
    }
    return centres;
  }

  assign(centres: Float64Array): Int32Array {
    const count = centres.length / this.#width;
    const clusters = new Int32Array(this.#n);
    this.#nearest.fill(Number.POSITIVE_INFINITY);
    for (let cluster = 0; cluster < count; cluster++) this.#attract(cluster, centres, clusters);
    // A move onto a row away from its centre never leaves that row alone again, so `count` moves are enough.
    const emptyOne = () => tally(clusters, count).indexOf(0);
    for (let empty = emptyOne(); empty >= 0; empty = emptyOne()) {
      this.#moveTo(this.#farthest(), empty, centres, clusters);
    }
    return clusters;
  }

  inertia(): number {
    let sum = 0;
    for (let row = 0; row < this.#n; row++) sum += this.#nearest[row];
    return sum;
  }

  means(clusters: Int32Array, count: number): Float64Array {
    const width = this.#width;
    const sums = new Float64Array(count * width);
    const sizes = new Int32Array(count);
    for (let row = 0; row < this.#n; row++) {
      const cluster = clusters[row];
      sizes[cluster]++;
      for (let j = 0; j < width; j++) sums[cluster * width + j] += this.#points[row * width + j];
    }
    return sums.map((sum, at) => sum / sizes[Math.floor(at / width)]);
  }

  #moveTo(row: number, cluster: number, centres: Float64Array, clusters: Int32Array): void {
    const width = this.#width;
    centres.set(this.#points.subarray(row * width, (row + 1) * width), cluster * width);
    this.#attract(cluster, centres, clusters);
  }

  #attract(cluster: number, centres: Float64Array, clusters: Int32Array): void {
    const [points, width, nearest, n] = [this.#points, this.#width, this.#nearest, this.#n];
    const centre = centres.slice(cluster * width, (cluster + 1) * width);
    for (let row = 0, at = 0; row < n; row++) {
      let distance = 0;
      for (let j = 0; j < width; j++) {
        const difference = points[at++] - centre[j];
        distance += difference * difference;
      }
      if (distance < nearest[row]) {
        nearest[row] = distance;
        clusters[row] = cluster;
      }
    }
  }

  #rowAt(target: number): number {
    let sum = 0;
    let last = 0;
    for (let row = 0; row < this.#n; row++) {
      if (this.#nearest[row] < SAME_POINT) continue;
      sum += this.#nearest[row];
      last = row;
      if (sum > target) break;
    }
    return last;
  }

  #farthest(): number {
    let row = 0;
    for (let each = 1; each < this.#n; each++) if (this.#nearest[each] > this.#nearest[row]) row = each;
    return row;
  }
}
