/** A random forest of mljs, as an estimator: it is made in `fit`. */
import { RandomForestClassifier } from 'ml-random-forest';

export default ({ seed }) => {
  let forest;
  return {
    fit(X, y) {
      forest = new RandomForestClassifier({ seed, nEstimators: 30, treeOptions: { minNumSamples: 5 } });
      forest.train(X, y);
    },
    predict: (X) => forest.predict(X),
  };
};
