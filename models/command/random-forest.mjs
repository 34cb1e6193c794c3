import { MissingPackageError } from 'cvkit';

const NAME = 'ml-random-forest';

/**
 * `--model random-forest` of the command line: the forest of mljs, 100 trees whose leaves have 5 rows or more. A search calls it with
 * parameters and the context of a fold, `validate` with the context alone.
 *
 * @param {any} first in a search its parameters: `{ nEstimators, maxFeatures, minNumSamples }`
 * @param {any} [context]
 */
export default async function randomForest(first, context) {
  const [params, { seed, classes, inputShape }] = context ? [first, context] : [{}, first];
  const { RandomForestClassifier, RandomForestRegression } = await import(NAME).catch((error) => {
    throw new MissingPackageError(NAME, '`--model random-forest`', `npm install ${NAME}`, error);
  });
  const isClasses = classes.length > 0;
  const { minNumSamples = 5, ...options } = params;
  // The usual shares: the root of the columns for classes, a third for numbers.
  const maxFeatures = isClasses ? Math.min(1, 1 / Math.sqrt(inputShape[0])) : 1 / 3;
  const settings = { seed, nEstimators: 100, maxFeatures, ...options, treeOptions: { minNumSamples } };
  if (!isClasses) return new RandomForestRegression(settings);
  // The forest knows classes as 0, 1, 2, ...
  const codes = new Map(classes.map((label, code) => [label, code]));
  const forest = new RandomForestClassifier(settings);
  const shares = (X) => classes.map((_, code) => forest.predictProbability(X, code));
  return {
    fit: (X, y) =>
      forest.train(
        X,
        Array.from(y, (label) => codes.get(label)),
      ),
    predict: (X) => Array.from(forest.predict(X), (code) => classes[code]),
    predictProba: (X) => transposed(shares(X)),
  };
}

/** By row; shares are rounded by the forest, so that they are made to sum to 1. */
const transposed = (columns) =>
  columns[0].map((_, row) => {
    const shares = columns.map((column) => column[row]);
    const sum = shares.reduce((total, share) => total + share, 0);
    return shares.map((share) => (sum > 0 ? share / sum : 1 / shares.length));
  });
