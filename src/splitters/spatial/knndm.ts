import { InfeasibleSplitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { MOST_DRAWS, power } from '../../core/numbers.js';
import {
  arrayLike,
  boolean,
  type InputOf,
  integer,
  number,
  type OptionsOf,
  oneOf,
  optionTable,
  rejectUnusedOption,
} from '../../core/options.js';
import { type RandomSource, randomSource } from '../../core/random.js';
import { rowsPerCode, tally } from '../../data/encode.js';
import { gather, type LabelsInput, rowNumbers } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { cutOut, foldsFromAssignment, shuffledAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { GroupPlacement, shuffledLargestFirst } from '../grouped/groupPlacement.js';
import { requireCount, type SplitInput } from '../splitInput.js';
import type { SplitData } from '../splitter.js';
import { KdTree } from './kdTree.js';
import { clusterCount, kMeans } from './kMeans.js';
import { degreesOf, earthClaims, kilometresOf, placeOptions, seedOf, unitVectors, withPlaces } from './places.js';
import { type Points, pointsOf, rowsIn, standardized } from './points.js';

const options = optionTable('KNNDM', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  predictionPoints: arrayLike<ArrayLike<number>>('number[][]').describe(
    'Where the model will be used: many places there, as `coordinates`, or the features of many cases, as `features`.',
  ),
  distanceMetric: oneOf('euclidean', 'haversine')
    .default('euclidean')
    .describe("'haversine' takes [lat, lon] in degrees and gives kilometres."),
  features: arrayLike<ArrayLike<number>>('number[][]')
    .nullable()
    .default(null)
    .describe('Features of each row, to match distances between cases instead of places.'),
  standardize: boolean()
    .nullable()
    .default(null)
    .describe('Give every feature mean 0 and standard deviation 1 over the rows first; null: true with `features`.'),
  maxShare: number({ above: 0, below: 1 })
    .nullable()
    .default(null)
    .describe('Largest share of the rows in one fold; null for 0.5, with two folds for 0.75.'),
  nCandidates: integer({ min: 1, max: MOST_DRAWS }).default(100).describe('How many numbers of clusters are tried.'),
  ...placeOptions('clusters, and which fold they go to'),
});

export type KNNDMOptions = InputOf<typeof options>;

/**
 * K-fold nearest-neighbour distance matching: folds that make the model reach as far in testing as it must in use.
 *
 * Data from a few places (hospitals, field sites) test a model that will serve a whole country: random folds put
 * neighbours on both sides and flatter it, whole regions may be too hard. Two sets of nearest-neighbour distances are
 * compared: from the prediction points to the sample, and from each row to the rows of the other folds. Where rows are
 * not significantly nearer to each other than the prediction points are to them (Kolmogorov-Smirnov, one-sided, 5 %),
 * the folds are random. Else rows are clustered, for many numbers of clusters from `nSplits` to n - 2; whole clusters
 * go into folds, the largest first and each into the fold with the fewest rows; the folds with the smallest Wasserstein
 * distance W between the two sets win, random folds included. {@link KNNDM.distanceMatch} reports W. Score all
 * out-of-fold predictions together: the folds were matched as a whole.
 *
 * As `CAST::knndm` of R, but for
 *
 * * the clusters, which come from one tree of two-way k-means cuts (CAST: one clustering per number);
 * * their placement by size (CAST: along the first principal component);
 * * random folds, which win wherever their W is smallest (CAST: never once the test is significant);
 * * the p-value, which is asymptotic (CAST: exact for small samples);
 * * the defaults: 5 folds (CAST: 10), and of two folds one may hold 0.75 of the rows (CAST: 0.5, refused for two).
 *
 * Takes O(k n log n) time per candidate, for k folds, and O(n) memory; n squared with many features, so lower
 * `nCandidates`.
 *
 * Throws `InvalidDataError` when coordinates, features or prediction points are missing, ragged, not finite, beyond
 * 1e150 or out of range, and when coordinates are in constructor and `split`; `InvalidOptionError` when `maxShare` is
 * below 1 / nSplits; `InfeasibleSplitError` when there are fewer rows (or, clustered, fewer distinct places) than
 * folds, or when no plan keeps to `maxShare`. `split` warns when test rows are still nearer to training than the
 * prediction points are to the sample.
 *
 * Source: Linnenbrink, Milà, Ludwig & Meyer 2024, Geoscientific Model Development 17:5897.
 *
 * @example
 * const coordinates = [[0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9], [0, 9], [1, 9], [0, 8]];
 * const predictionPoints = Array.from({ length: 100 }, (_, i) => [i % 10, Math.floor(i / 10)]);
 * const cv = new KNNDM({ nSplits: 3, predictionPoints, randomState: 42 });
 * const { w, wRandom } = cv.distanceMatch(9, { coordinates });
 * for (const { train, test } of cv.split(9, { coordinates })) console.log(train, test);
 */
export class KNNDM extends defineSplitter({
  options,
  facts: {
    family: 'spatial',
    description: 'K folds whose test rows are as far from training as the places of later use are from the sample.',
    needs: ['coordinates'],
    orOption: 'features',
    claims: { partition: true, separated: true },
  },
  claims: earthClaims,
  complete: withPlaces(options.owner),
  prepare(chosen) {
    checkOptions(chosen);
    const { randomState, features, predictionPoints } = chosen;
    const prediction = spaceOf(predictionPoints, 'predictionPoints', chosen);
    const [name, width] = features ? ['features', features[0].length] : ['coordinates', 2];
    if (predictionPoints[0].length !== width) {
      const got = phrase(String(predictionPoints[0].length));
      throw new InvalidDataError(sentence('Row 0 of predictionPoints', `have ${width} values, as ${name} have`, got));
    }
    return { seed: seedOf(randomState), features: features && pointsOf(features, 'features'), prediction };
  },
  plan(input, chosen, prepared) {
    const { foldOf, match } = matched(input, chosen, prepared);
    const { foldDistances, predictionDistances, w } = match;
    const tooNear = smallerPValue(foldDistances, predictionDistances) < SIGNIFICANT;
    const warning =
      `The test rows of ${options.owner} are still nearer to their training rows than the prediction points are to the ` +
      `sample (W = ${w.toPrecision(3)}). Expect scores that are too good; fewer folds or a larger \`maxShare\` may help.`;
    return foldsFromAssignment(foldOf, chosen.nSplits, tooNear ? [warning] : []);
  },
})<KNNDMOptions> {
  /** How far the folds of `split` with the same arguments reach, compared with the prediction points. */
  distanceMatch(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): DistanceMatch {
    return matched(this.read(X, y, data), this.options, this.prepared).match;
  }
}

type Chosen = OptionsOf<typeof options>;

interface Prepared {
  readonly seed: number | string;
  readonly features: Points | null;
  readonly prediction: Points;
}

function checkOptions({ nSplits, maxShare, features, coordinates, distanceMetric, standardize }: Chosen): void {
  if (maxShare !== null && maxShare < 1 / nSplits) {
    const must = `be at least 1 / nSplits, ${Number((1 / nSplits).toPrecision(3))}`;
    throw new InvalidOptionError(sentence(`The \`maxShare\` option of ${options.owner}`, must, maxShare));
  }
  const compared = 'cases are compared by their `features`';
  if (features && coordinates) rejectUnusedOption(options.owner, 'coordinates', compared);
  if (features && distanceMetric === 'haversine') rejectUnusedOption(options.owner, 'distanceMetric', compared);
  const why = 'only `features` are standardized, places are compared as they are';
  if (!features && standardize !== null) rejectUnusedOption(options.owner, 'standardize', why);
}

const spaceOf = (points: ArrayLike<ArrayLike<number>>, name: string, { distanceMetric }: Chosen): Points =>
  distanceMetric === 'haversine' ? unitVectors(degreesOf(points, name)) : pointsOf(points, name);

/** The points of the rows and of later use: straight lines between them are the distances, or grow with them. */
function pointsFor({ n, need }: SplitInput, chosen: Chosen, { features, prediction }: Prepared): [Points, Points] {
  if (features === null) return [spaceOf(need('coordinates'), 'coordinates', chosen), prediction];
  checkLength({ length: rowsIn(features) }, n, 'features');
  if (chosen.standardize === false) return [features, prediction];
  return [standardized(features), standardized(prediction, features)];
}

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

interface Plan {
  readonly foldOf: Int32Array;
  readonly nClusters: number | null;
  readonly share: number;
}

const SIGNIFICANT = 0.05;

function matched(input: SplitInput, chosen: Chosen, prepared: Prepared): { foldOf: Int32Array; match: DistanceMatch } {
  const { nSplits, distanceMetric } = chosen;
  requireCount(options.owner, nSplits, input.n, 'rows');
  const [sample, prediction] = pointsFor(input, chosen, prepared);
  const maxShare = chosen.maxShare ?? Math.max(0.5, 1.5 / nSplits);
  const source = randomSource(prepared.seed);
  const ascending = (distances: Float64Array) =>
    (distanceMetric === 'haversine' ? distances.map(kilometresOf) : distances).sort();
  const tree = new KdTree(sample.values, sample.width);
  const predictionDistances = ascending(distances(prediction, (row) => tree.nearest(prediction.values, row)));
  const sampleDistances = ascending(distances(sample, (row) => tree.nearest(sample.values, row, row)));
  const pValue = smallerPValue(sampleDistances, predictionDistances);
  const assessed = (plan: Plan) => {
    const foldDistances = ascending(distancesAcross(sample, plan.foldOf, nSplits));
    return { ...plan, foldDistances, w: wasserstein(foldDistances, predictionDistances) };
  };

  const random = assessed(planOf(shuffledAssignment(input.n, nSplits, source), nSplits, null));
  const plans = pValue < SIGNIFICANT ? clusteredPlans(sample, chosen, source) : [random];
  let best: ReturnType<typeof assessed> | undefined;
  let smallest = 1;
  for (const plan of plans) {
    smallest = Math.min(smallest, plan.share);
    if (plan.share > maxShare) continue;
    const next = plan === random ? random : assessed(plan);
    if (best === undefined || next.w < best.w) best = next;
  }
  if (best === undefined) {
    const subject = `The largest fold of ${options.owner}`;
    const got = phrase(`a share of ${Number(smallest.toPrecision(3))} at least`);
    throw new InfeasibleSplitError(sentence(subject, `have at most \`maxShare\` of the rows, ${maxShare}`, got));
  }
  if (random.share <= maxShare && random.w < best.w) best = random;
  const { foldOf, foldDistances, w, nClusters } = best;
  const distancesFound = { predictionDistances, sampleDistances, foldDistances };
  return { foldOf, match: { w, wRandom: random.w, nClusters, pValue, ...distancesFound } };
}

/** Numbers of clusters grow by a factor: few clusters are tried more closely. */
function* clusteredPlans(sample: Points, chosen: Chosen, source: RandomSource): Generator<Plan> {
  const { nSplits, nCandidates, features } = chosen;
  const tree = clusterTree(sample, source);
  const distinct = tree.cuts.length + 1;
  requireCount(options.owner, nSplits, distinct, `distinct ${features ? 'rows of features' : 'places'}`);
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
function wasserstein(a: Float64Array, b: Float64Array): number {
  let area = 0;
  for (const { aheadBy, width } of steps(a, b)) area += Math.abs(aheadBy) * width;
  return area;
}

/** One-sided and asymptotic, as R's `ks.test(a, b, alternative = 'greater', exact = FALSE)`; both ascend. */
function smallerPValue(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const { aheadBy } of steps(a, b)) most = Math.max(most, aheadBy);
  return Math.exp((-2 * most ** 2 * a.length * b.length) / (a.length + b.length));
}

/** From each distinct value to the next: by how much more of `a` than of `b` lies at or below it, and how far it is. */
function* steps(a: Float64Array, b: Float64Array): Generator<{ aheadBy: number; width: number }> {
  let [i, j] = [0, 0];
  const next = () => Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
  for (let value = next(); value < Infinity; value = next()) {
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    const width = next() - value;
    yield { aheadBy: i / a.length - j / b.length, width: width < Infinity ? width : 0 };
  }
}

/** Clusters are ranges of `order`: the first q - 1 of `cuts` cut it into q of them. */
interface ClusterTree {
  readonly order: Int32Array;
  /** Places in `order`, those that part the widest clusters first; one less than there are distinct points. */
  readonly cuts: Int32Array;
}

/** Bisecting k-means (Steinbach, Karypis & Kumar 2000, KDD Workshop on Text Mining), the widest part first. */
function clusterTree({ values, width }: Points, source: RandomSource): ClusterTree {
  const n = values.length / width;
  const order = rowNumbers(n);
  const cuts: { at: number; spread: number }[] = [];
  const open = [[0, n]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [start, end] = range;
    const rows = order.slice(start, end);
    const points = takePoints(values, width, rows);
    const halves = kMeans(points, width, 2, source);
    if (clusterCount(halves) < 2) continue;
    const [first, second] = rowsPerCode(halves, tally(halves, 2)).map((places) => gather(rows, places));
    const at = start + first.length;
    order.set(first, start);
    order.set(second, at);
    cuts.push({ at, spread: spreadOf(points, width) });
    open.push([start, at], [at, end]);
  }
  cuts.sort((a, b) => b.spread - a.spread);
  return { order, cuts: Int32Array.from(cuts, ({ at }) => at) };
}

function clustersOf({ order, cuts }: ClusterTree, count: number): Int32Array {
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
