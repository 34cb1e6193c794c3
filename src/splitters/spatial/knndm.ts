import { InvalidDataError, InvalidOptionError, sentence } from '../../core/errors.js';
import type { LabelsInput } from '../../core/labels.js';
import {
  arrayLike,
  boolean,
  type InputOf,
  integer,
  number,
  oneOf,
  optionTable,
  refuseIdle,
} from '../../core/options.js';
import type { RowsInput } from '../../core/rows.js';
import { checkLength, type SideData } from '../../core/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { checkEnough, type Folds, type SplitInput, type SplitterFacts } from '../splitter.js';
import { smallerPValue } from './distanceDistributions.js';
import { checkLatLon, kilometresOf, unitVectors } from './distances.js';
import { type DistanceMatch, type MatchRequest, matchDistances, SIGNIFICANT } from './matchDistances.js';
import { inUnit, type Points, pointsOf, standardized, unitOf } from './points.js';
import { placeOptions, SpatialSplitter } from './spatialSplitter.js';

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
    .default(true)
    .describe('Give every one of the `features` mean 0 and standard deviation 1 over the rows first.'),
  maxShare: number({ above: 0, below: 1 })
    .nullable()
    .default(null)
    .describe('Largest share of the rows in one fold; null for 0.5, with two folds for 0.75.'),
  nCandidates: integer({ min: 1 }).default(100).describe('How many numbers of clusters are tried.'),
  ...placeOptions('clusters, and which fold they go to'),
});

const facts = {
  name: 'KNNDM',
  family: 'spatial',
  description: 'K folds whose test rows are as far from training as the places of later use are from the sample.',
  options,
  needs: ['coordinates'],
  claims: { partition: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type KNNDMOptions = InputOf<typeof options>;

/**
 * K-fold nearest-neighbour distance matching: folds that make the model reach as far in testing as it must in use.
 *
 * Data from a few places (hospitals, field sites) test a model that will serve a whole country. Random folds put
 * neighbours on both sides and flatter it; whole regions left out may be too hard. This design compares two sets of
 * nearest-neighbour distances: from the prediction points to the sample, and from each row to the rows of the other
 * folds. Where rows are not significantly nearer to each other than the prediction points are to them
 * (Kolmogorov-Smirnov, one-sided, 5 %), random folds are right and are given. Else rows are clustered, for many numbers
 * of clusters from `nSplits` to n - 2; the clusters are placed into folds of near equal size, the largest first; and
 * the folds with the smallest Wasserstein distance W between the two sets win, random folds included. {@link
 * KNNDM.distanceMatch} reports W. Score all out-of-fold predictions together: folds are unequal and were matched as a
 * whole.
 *
 * As `CAST::knndm` of R, but for the clusters, which come from one tree of two-way k-means cuts (CAST: one hierarchical
 * or k-means clustering per number), and for their placement by size (CAST: in turn along the first principal
 * component). Takes O(n log n) per candidate and no n x n matrix.
 *
 * Throws `InvalidDataError` when coordinates (or features) are missing, given in both places, ragged, not finite or out
 * of range; `InvalidOptionError` when `maxShare` is below 1 / nSplits; `InfeasibleSplitError` when there are fewer rows
 * (or, clustered, fewer distinct places) than folds, or when no plan keeps to `maxShare`. `split` warns when test rows
 * are still nearer to training than the prediction points are to the sample.
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
export class KNNDM extends SpatialSplitter<typeof options.shape> {
  static readonly facts = facts;
  // With features there is no need for places.
  readonly facts = { ...facts, needs: this.options.features ? [] : facts.needs };

  constructor(input: KNNDMOptions) {
    super(options, input);
    const { nSplits, maxShare, features, coordinates, distanceMetric } = this.options;
    if (maxShare !== null && maxShare < 1 / nSplits) {
      const must = `be at least 1 / nSplits, ${Number((1 / nSplits).toPrecision(3))}`;
      throw new InvalidOptionError(sentence(`The \`maxShare\` option of ${facts.name}`, must, maxShare));
    }
    const compared = 'cases are compared by their `features`';
    if (features && coordinates) refuseIdle(facts.name, 'coordinates', compared);
    if (features && distanceMetric === 'haversine') refuseIdle(facts.name, 'distanceMetric', compared);
    if (!features && options.parse(input).written.has('standardize')) {
      refuseIdle(facts.name, 'standardize', 'only `features` are standardized, places are compared as they are');
    }
  }

  getNSplits(): number {
    return this.options.nSplits;
  }

  /**
   * How far the folds that `split` gives with the same arguments reach, compared with the prediction points. Takes what
   * `split` takes.
   */
  distanceMatch(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): DistanceMatch {
    return this.#matched(this.read(X, y, data)).match;
  }

  protected plan(input: SplitInput): Folds {
    const { foldOf, match } = this.#matched(input);
    const { foldDistances, predictionDistances, w } = match;
    const tooNear = smallerPValue(foldDistances, predictionDistances) < SIGNIFICANT;
    const warning =
      `The test rows of ${facts.name} are still nearer to their training rows than the prediction points are to the ` +
      `sample (W = ${w.toPrecision(3)}). Expect scores that are too good; fewer folds or a larger \`maxShare\` may help.`;
    return {
      warnings: tooNear ? [warning] : [],
      [Symbol.iterator]: () => foldsFromAssignment(foldOf, this.options.nSplits),
    };
  }

  #matched(input: SplitInput): ReturnType<typeof matchDistances> {
    const { nSplits, maxShare, nCandidates } = this.options;
    checkEnough(facts.name, nSplits, input.n, 'rows');
    return matchDistances({
      ...this.#points(input),
      owner: facts.name,
      nSplits,
      maxShare: maxShare ?? Math.max(0.5, 1.5 / nSplits),
      nCandidates,
      source: this.source(),
    });
  }

  /** The rows and the prediction points in a space in which straight lines are the distances, or grow with them. */
  #points(input: SplitInput): Pick<MatchRequest, 'sample' | 'prediction' | 'distanceOf'> {
    const { distanceMetric, predictionPoints, standardize, features } = this.options;
    const name = features ? 'features' : 'coordinates';
    const rows = features ?? this.coordinatesOf(input);
    checkLength(rows, input.n, name);
    const sample = pointsOf(rows, name);
    const prediction = pointsOf(predictionPoints, 'predictionPoints');
    if (prediction.width !== sample.width) {
      const must = `have ${sample.width} values, as ${name} have`;
      throw new InvalidDataError(sentence('Row 0 of predictionPoints', must, { text: String(prediction.width) }));
    }
    if (features && input.data.coordinates) {
      throw new InvalidDataError(
        sentence(facts.name, 'be given either places or features', { text: '`features` and `coordinates`' }),
      );
    }
    if (distanceMetric === 'haversine') {
      checkLatLon(rows);
      checkLatLon(predictionPoints, 'predictionPoints');
      return { sample: onSphere(sample), prediction: onSphere(prediction), distanceOf: kilometresOf };
    }
    return features && standardize
      ? inOneUnit(standardized(sample), standardized(prediction, sample))
      : inOneUnit(sample, prediction);
  }
}

const onSphere = ({ values }: Points): Points => ({ values: unitVectors(values), width: 3 });

/** Distances are searched in a unit in which no square overflows. */
function inOneUnit(sample: Points, prediction: Points): Pick<MatchRequest, 'sample' | 'prediction' | 'distanceOf'> {
  const unit = unitOf(sample.values, prediction.values);
  const scaled = ({ values, width }: Points): Points => ({ values: inUnit(values, unit), width });
  return { sample: scaled(sample), prediction: scaled(prediction), distanceOf: (distance) => distance * unit };
}
