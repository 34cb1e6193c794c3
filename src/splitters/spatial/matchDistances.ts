import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { power } from '../../core/numbers.js';
import type { RandomSource } from '../../core/random.js';
import { tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import { cutOut, shuffledAssignment } from '../assignment.js';
import { GroupPlacement, shuffledLargestFirst } from '../grouped/groupPlacement.js';
import { requireCount } from '../splitInput.js';
import { KdTree } from './kdTree.js';
import { clusterCount, kMeans } from './kMeans.js';
import { type Points, rowsIn } from './points.js';

/** How well folds stand for later use. Lists of distances ascend; their unit is that of the metric (haversine: km). */
export interface DistanceMatch {
  /** Wasserstein distance between `foldDistances` and `predictionDistances`; 0 is a perfect match. */
  readonly w: number;
  /** The same for random folds. */
  readonly wRandom: number;
  /** Number of clusters that the folds were put together from; null for random folds. */
  readonly nClusters: number | null;
  /** p-value of "rows are nearer to each other than the prediction points are to them"; below 0.05 the rows cluster. */
  readonly pValue: number;
  /** From each prediction point to the nearest row. */
  readonly predictionDistances: Float64Array;
  /** From each row to the nearest other row. */
  readonly sampleDistances: Float64Array;
  /** From each row to the nearest row of another fold. */
  readonly foldDistances: Float64Array;
}

export interface MatchRequest {
  readonly owner: string;
  /** The points of the sample in messages: 'places'. */
  readonly noun: string;
  readonly sample: Points;
  readonly prediction: Points;
  /** The distance to report for one between points. Rises with it. */
  readonly distanceOf: (distance: number) => number;
  readonly nSplits: number;
  /** Largest share of the rows in one fold. */
  readonly maxShare: number;
  readonly nCandidates: number;
  readonly source: RandomSource;
}

interface Plan {
  readonly foldOf: Int32Array;
  readonly nClusters: number | null;
  readonly share: number;
}

export const SIGNIFICANT = 0.05;

export function matchDistances(request: MatchRequest): { foldOf: Int32Array; match: DistanceMatch } {
  const { owner, sample, prediction, distanceOf, nSplits, maxShare, source } = request;
  const n = rowsIn(sample);
  const ascending = (distances: Float64Array) => distances.map(distanceOf).sort();
  const tree = new KdTree(sample.values, sample.width);
  const predictionDistances = ascending(distances(prediction, (row) => tree.nearest(prediction.values, row)));
  const sampleDistances = ascending(distances(sample, (row) => tree.nearest(sample.values, row, row)));
  const pValue = smallerPValue(sampleDistances, predictionDistances);
  const assessed = (plan: Plan) => {
    const foldDistances = ascending(distancesAcross(sample, plan.foldOf, nSplits));
    return { ...plan, foldDistances, w: wasserstein(foldDistances, predictionDistances) };
  };

  const random = assessed(planOf(shuffledAssignment(n, nSplits, source), nSplits, null));
  const plans = pValue < SIGNIFICANT ? clusteredPlans(request) : [random];
  let best: ReturnType<typeof assessed> | undefined;
  let smallest = 1;
  for (const plan of plans) {
    smallest = Math.min(smallest, plan.share);
    if (plan.share > maxShare) continue;
    const next = plan === random ? random : assessed(plan);
    if (best === undefined || next.w < best.w) best = next;
  }
  if (best === undefined) {
    throw new InfeasibleSplitError(
      sentence(
        `The largest fold of ${owner}`,
        `have at most \`maxShare\` of the rows, ${maxShare}`,
        phrase(`a share of ${Number(smallest.toPrecision(3))} at least`),
      ),
    );
  }
  if (random.share <= maxShare && random.w < best.w) best = random;
  const { foldOf, foldDistances, w, nClusters } = best;
  return {
    foldOf,
    match: { w, wRandom: random.w, nClusters, pValue, predictionDistances, sampleDistances, foldDistances },
  };
}

/** Numbers of clusters grow by a factor: few clusters are tried more closely. */
function* clusteredPlans({ owner, noun, sample, nSplits, nCandidates, source }: MatchRequest): Generator<Plan> {
  const tree = clusterTree(sample, source);
  const distinct = tree.cuts.length + 1;
  requireCount(owner, nSplits, distinct, `distinct ${noun}`);
  const most = Math.max(nSplits, Math.min(distinct, rowsIn(sample) - 2));
  const growth = power(most / nSplits, 1 / Math.max(1, nCandidates - 1));
  const counts = Array.from({ length: nCandidates }, (_, i) => Math.round(nSplits * power(growth, i)));
  for (const count of new Set(counts)) {
    const clusters = clustersOf(tree, count);
    const sizes = Float64Array.from(tally(clusters, count));
    const { foldOf } = new GroupPlacement(sizes, 1, nSplits).placeAll(shuffledLargestFirst(sizes, source));
    yield planOf(gather(foldOf, clusters), nSplits, count);
  }
}

const planOf = (foldOf: Int32Array, nSplits: number, nClusters: number | null): Plan => ({
  foldOf,
  nClusters,
  share: tally(foldOf, nSplits).reduce((a, b) => Math.max(a, b)) / foldOf.length,
});

const distances = (points: Points, toNearest: (row: number) => number): Float64Array =>
  new Float64Array(rowsIn(points)).map((_, row) => toNearest(row));

/** Of each row, to the nearest row of another fold. One tree at a time: O(n) memory. */
function distancesAcross({ values, width }: Points, foldOf: Int32Array, nSplits: number): Float64Array {
  const distances = new Float64Array(foldOf.length);
  for (const [fold, size] of tally(foldOf, nSplits).entries()) {
    const { train, test } = cutOut(foldOf, fold, size);
    const others = new KdTree(values, width, 'euclidean', train);
    for (const row of test) distances[row] = others.nearest(values, row);
  }
  return distances;
}

/** First Wasserstein distance of two ascending samples. Equals `scipy.stats.wasserstein_distance`. */
export function wasserstein(a: Float64Array, b: Float64Array): number {
  let area = 0;
  for (const { aheadBy, width } of steps(a, b)) area += Math.abs(aheadBy) * width;
  return area;
}

/**
 * One-sided two-sample Kolmogorov-Smirnov test against "the values of `a` are smaller than those of `b`"; both ascend.
 * Asymptotic: equals R's `ks.test(a, b, alternative = 'greater', exact = FALSE)`.
 */
export function smallerPValue(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const { aheadBy } of steps(a, b)) most = Math.max(most, aheadBy);
  return Math.exp((-2 * most ** 2 * a.length * b.length) / (a.length + b.length));
}

/** From each distinct value to the next: by how much more of `a` than of `b` lies at or below it, and how far it is. */
function* steps(a: Float64Array, b: Float64Array): Generator<{ aheadBy: number; width: number }> {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    yield { aheadBy: i / a.length - j / b.length, width: next === Number.POSITIVE_INFINITY ? 0 : next - value };
  }
}

/** Clusters are ranges of `order`: the first q - 1 of `cuts` cut it into q of them. */
interface ClusterTree {
  /** Rows, so that those of each cluster stand together. */
  readonly order: Int32Array;
  /** Places in `order`, those that part the widest clusters first; one less than there are distinct points. */
  readonly cuts: Int32Array;
}

/**
 * Cuts the points in two by k-means, and each part again, down to equal points; the part with the largest sum of
 * squared distances to its mean comes first. One tree gives every number of clusters in about O(n log n).
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

function spreadOf(points: Float64Array, width: number): number {
  const means = new Float64Array(width);
  const share = width / points.length;
  for (let i = 0; i < points.length; i++) means[i % width] += points[i] * share;
  return points.reduce((sum, value, i) => sum + (value - means[i % width]) ** 2, 0);
}
