import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { MOST_DRAWS } from '../../core/numbers.js';
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
import { randomSource } from '../../core/random.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { checkLength } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount, requireInput, type SplitInput } from '../splitInput.js';
import { type SplitData, withWarnings } from '../splitter.js';
import { degreesOf, kilometresOf, unitVectors } from './distances.js';
import { type DistanceMatch, type MatchRequest, matchDistances, SIGNIFICANT, smallerPValue } from './matchDistances.js';
import { earthClaims, placeOptions, seedOf, withPlaces } from './placeOptions.js';
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
 * Data from a few places (hospitals, field sites) test a model that will serve a whole country. Random folds put
 * neighbours on both sides and flatter it; whole regions left out may be too hard. This design compares two sets of
 * nearest-neighbour distances: from the prediction points to the sample, and from each row to the rows of the other
 * folds. Where rows are not significantly nearer to each other than the prediction points are to them
 * (Kolmogorov-Smirnov, one-sided, 5 %), random folds are right and are given. Else rows are clustered, for many numbers
 * of clusters from `nSplits` to n - 2; the clusters of each number are put into folds, the largest first and each into
 * the fold with the fewest rows; and the folds with the smallest Wasserstein distance W between the two sets win,
 * random folds included. {@link KNNDM.distanceMatch} reports W. Score all out-of-fold predictions together: the folds
 * were matched as a whole, and large clusters make some of them larger.
 *
 * As `CAST::knndm` of R, but for
 *
 * * the clusters, which come from one tree of two-way k-means cuts (CAST: one hierarchical or k-means clustering per
 *   number);
 * * their placement by size (CAST: a cluster of at least n / nSplits rows has a fold of its own, the others go to the
 *   remaining folds in turn along the first principal component);
 * * random folds, which win wherever their W is smallest (CAST: never once the test is significant);
 * * the p-value, which is asymptotic (CAST: that of `ks.test`, exact where the numbers of rows and of prediction points
 *   multiply to less than 10,000), so that small samples get random folds slightly more often;
 * * the defaults: 5 folds (CAST: 10), and of two folds one may hold 0.75 of the rows (CAST: 0.5, which it refuses for
 *   two).
 *
 * Takes O(k n log n) time per candidate, for k folds, and O(n) memory. With many features a tree does not help, and time
 * grows with n squared: some thousand rows of 30 features take minutes with 100 candidates, so lower `nCandidates`.
 *
 * Throws `InvalidDataError` when coordinates, features or prediction points are missing, ragged, not finite, beyond
 * 1e150 or out of range, and when coordinates are given in constructor and `split` (with features, those of `split` are
 * not looked at); `InvalidOptionError` when `maxShare` is below 1 / nSplits; `InfeasibleSplitError` when there are fewer
 * rows (or, clustered, fewer distinct places) than folds, or when no plan keeps to `maxShare`. `split` warns when test
 * rows are still nearer to training than the prediction points are to the sample.
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
    return withWarnings(tooNear ? [warning] : [], () => foldsFromAssignment(foldOf, chosen.nSplits));
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
  if (!features && standardize !== null) {
    rejectUnusedOption(
      options.owner,
      'standardize',
      'only `features` are standardized, places are compared as they are',
    );
  }
}

function matched(input: SplitInput, chosen: Chosen, prepared: Prepared): ReturnType<typeof matchDistances> {
  const { nSplits, maxShare, nCandidates } = chosen;
  requireCount(options.owner, nSplits, input.n, 'rows');
  return matchDistances({
    ...pointsFor(input, chosen, prepared),
    owner: options.owner,
    noun: prepared.features ? 'rows of features' : 'places',
    nSplits,
    maxShare: maxShare ?? Math.max(0.5, 1.5 / nSplits),
    nCandidates,
    source: randomSource(prepared.seed),
  });
}

function pointsFor(
  { n, data }: SplitInput,
  chosen: Chosen,
  { features, prediction }: Prepared,
): Pick<MatchRequest, 'sample' | 'prediction' | 'distanceOf'> {
  const distanceOf = chosen.distanceMetric === 'haversine' ? kilometresOf : (distance: number) => distance;
  if (features === null) {
    const coordinates = requireInput(options.owner, 'coordinates', data.coordinates);
    return { sample: spaceOf(coordinates, 'coordinates', chosen), prediction, distanceOf };
  }
  checkLength({ length: rowsIn(features) }, n, 'features');
  return chosen.standardize === false
    ? { sample: features, prediction, distanceOf }
    : { sample: standardized(features), prediction: standardized(prediction, features), distanceOf };
}

/** Points between which straight lines are the distances, or grow with them. */
const spaceOf = (points: ArrayLike<ArrayLike<number>>, name: string, { distanceMetric }: Chosen): Points =>
  distanceMetric === 'haversine' ? unitVectors(degreesOf(points, name)) : pointsOf(points, name);
