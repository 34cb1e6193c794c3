/** The nested search as one would write it by hand: no checks, no records. For times alone. */
import { StratifiedKFold } from 'cvkit';

/** @returns the number of models that were fitted */
export function bareSearch({ X, y }, { make, configurations, outerCv, innerFolds }) {
  let fits = 0;
  const scoreOf = (params, train, test) => {
    const model = make(params);
    fits++;
    model.fit(
      Array.from(train, (row) => X[row]),
      Array.from(train, (row) => y[row]),
    );
    const proba = model.predictProba(Array.from(test, (row) => X[row]));
    return aucOf(
      proba.map(([, p]) => p),
      Array.from(test, (row) => y[row]),
    );
  };
  const bestOf = (rows) => {
    const labels = Array.from(rows, (row) => y[row]);
    const folds = [...new StratifiedKFold({ nSplits: innerFolds }).split(rows.length, labels)].map((fold) =>
      [fold.train, fold.test].map((side) => Array.from(side, (place) => rows[place])),
    );
    const means = configurations.map(
      (params) => folds.reduce((sum, [train, test]) => sum + scoreOf(params, train, test), 0) / innerFolds,
    );
    return configurations[means.indexOf(Math.max(...means))];
  };
  for (const { train, test } of outerCv.split(X, y)) scoreOf(bestOf(train), train, test);
  bestOf(X.map((_, row) => row));
  return fits;
}

/** Area under the ROC curve by ranks; no ties expected. */
function aucOf(scores, labels) {
  const order = scores.map((_, at) => at).sort((a, b) => scores[a] - scores[b]);
  let positives = 0;
  let ranks = 0;
  for (const [place, at] of order.entries()) {
    if (!labels[at]) continue;
    positives++;
    ranks += place + 1;
  }
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (labels.length - positives));
}
