import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { arrayLike, boolean, type InputOf, integer, optionTable, randomState } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { checkLength } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount, type SplitInput } from '../splitInput.js';
import { clusterCount, kMeans } from './kMeans.js';
import { seedOf } from './places.js';
import { type Points, pointsFromColumns, pointsOf, rowsIn, standardized } from './points.js';

const options = optionTable('ClusterKFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of clusters; each is one test fold.'),
  features: arrayLike<ArrayLike<number>>('number[][]')
    .nullable()
    .default(null)
    .describe('What rows are compared by, one array of numbers per row; else `environment` in split.'),
  standardize: boolean().default(true).describe('Give every feature mean 0 and standard deviation 1 first.'),
  randomState: randomState().default(null).describe('Seed of the starting centres.'),
});

export type ClusterKFoldOptions = InputOf<typeof options>;

/**
 * K folds for deployment shift: rows are clustered by their features (k-means), and each cluster is tested by a model
 * that has seen none of it. The score answers how the model does on a kind of case that was not there in training.
 * Folds are as unequal as the clusters are; rows with equal features are always in one fold.
 *
 * `split` is synchronous and cannot read every kind of `X`, so the features are an option (one array of numbers per
 * row, any width) or come as `environment` (variable name to one number per row). Use no outcome as a feature. Without
 * `randomState` one seed is drawn per instance.
 *
 * Throws `InvalidDataError` when features are missing, given in both places, ragged, not finite or beyond 1e150, and
 * `InfeasibleSplitError` when there are fewer distinct rows of features than folds.
 *
 * Source: Roberts et al. 2017, Ecography 40:913 (blocking in predictor space); `clustering_cv` of R's rsample and
 * `cv_cluster` of blockCV are the same design.
 *
 * @example
 * const features = [[34, 1.1], [36, 0.9], [35, 1.0], [71, 3.2], [74, 2.8], [69, 3.1]];
 * for (const { test } of new ClusterKFold({ nSplits: 2, features, randomState: 42 }).split(6)) console.log(test);
 */
export class ClusterKFold extends defineSplitter({
  options,
  facts: {
    family: 'spatial',
    description: 'K folds of rows that look alike: each k-means cluster of the features is the test set once.',
    needs: ['environment'],
    orOption: 'features',
    claims: { partition: true, separated: true },
  },
  prepare: ({ randomState, features }) => ({
    seed: seedOf(randomState),
    features: features && pointsOf(features, 'features'),
  }),
  plan(input, { nSplits, standardize }, { seed, features }) {
    const points = comparedBy(features, input);
    const { values, width } = standardize ? standardized(points) : points;
    const clusters = kMeans(values, width, nSplits, randomSource(seed));
    requireCount(options.owner, nSplits, clusterCount(clusters), 'distinct rows of features');
    return foldsFromAssignment(clusters, nSplits);
  },
})<ClusterKFoldOptions> {}

function comparedBy(features: Points | null, { n, data, need }: SplitInput): Points {
  if (features === null) return pointsFromColumns(need('environment'), n, 'environment');
  if (data.environment !== undefined) {
    const must = 'be given either its `features` option or `environment` in split';
    throw new InvalidDataError(sentence(options.owner, must, phrase('both')));
  }
  checkLength({ length: rowsIn(features) }, n, 'features');
  return features;
}
