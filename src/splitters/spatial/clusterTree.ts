/** Clusters within clusters: every number of clusters out of one tree. */
import type { RandomSource } from '../../core/random.js';
import { clusterCount, kMeans } from './kMeans.js';
import type { Points } from './points.js';

/** Clusters are ranges of `order`: the first q - 1 of `cuts` cut it into q of them. */
export interface ClusterTree {
  /** Rows, so that those of each cluster stand together. */
  readonly order: Int32Array;
  /** Places in `order`, those that part the widest clusters first; one less than there are distinct points. */
  readonly cuts: Int32Array;
}

/**
 * Cuts the points in two by k-means, and each part again, down to equal points. The part with the largest sum of
 * squared distances to its mean is cut first. About O(n log n), where a k-means search for each of many numbers of
 * clusters up to n would take O(n^2).
 *
 * Source: Steinbach, Karypis & Kumar 2000, KDD Workshop on Text Mining (bisecting k-means).
 */
export function clusterTree({ values, width }: Points, source: RandomSource): ClusterTree {
  const n = values.length / width;
  const order = Int32Array.from({ length: n }, (_, row) => row);
  const cuts: { at: number; spread: number }[] = [];
  const open = [[0, n]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [start, end] = range;
    const rows = order.slice(start, end);
    const points = takePoints(values, width, rows);
    const halves = kMeans(points, width, 2, source);
    if (clusterCount(halves) < 2) continue;
    const first = rows.filter((_, i) => halves[i] === 0);
    const at = start + first.length;
    order.set(first, start);
    order.set(
      rows.filter((_, i) => halves[i] === 1),
      at,
    );
    cuts.push({ at, spread: spreadOf(points, width) });
    open.push([start, at], [at, end]);
  }
  cuts.sort((a, b) => b.spread - a.spread);
  return { order, cuts: Int32Array.from(cuts, ({ at }) => at) };
}

/** The cluster 0 ... count-1 of each row. `count` is at most the number of distinct points. */
export function clustersOf({ order, cuts }: ClusterTree, count: number): Int32Array {
  const starts = new Uint8Array(order.length);
  for (let i = 0; i < count - 1; i++) starts[cuts[i]] = 1;
  const clusters = new Int32Array(order.length);
  let cluster = 0;
  for (let at = 0; at < order.length; at++) {
    cluster += starts[at];
    clusters[order[at]] = cluster;
  }
  return clusters;
}

function takePoints(values: Float64Array, width: number, rows: Int32Array): Float64Array {
  const points = new Float64Array(rows.length * width);
  for (let i = 0; i < points.length; i++) points[i] = values[rows[Math.floor(i / width)] * width + (i % width)];
  return points;
}

/** Sum of squared distances to the mean. */
function spreadOf(points: Float64Array, width: number): number {
  const means = new Float64Array(width);
  const share = width / points.length;
  for (let i = 0; i < points.length; i++) means[i % width] += points[i] * share;
  return points.reduce((sum, value, i) => sum + (value - means[i % width]) ** 2, 0);
}
