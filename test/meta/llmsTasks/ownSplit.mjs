// Folds of my own: a fixed list, and a splitter that tests every third row.
import { CVKitValidator, loadCancerImaging, PredefinedSplit, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';

const { X, y } = await loadCancerImaging();
const rows = X.map((_, row) => row);
const job = { model: () => new LogisticRegression(), preprocessing: new StandardScaler() };

const folds = [0, 1].map((rest) => ({
  train: rows.filter((row) => row % 2 !== rest),
  test: rows.filter((row) => row % 2 === rest),
}));
const cv = new PredefinedSplit({ folds });
const result = await new CVKitValidator({ independentRows: true }).validate({ ...job, X, y, cv, verbose: 0 });
console.log(result.estimates.accuracy);

class EveryThird {
  getNSplits() {
    return 3;
  }
  split(X) {
    const all = Array.from({ length: X.length }, (_, row) => row);
    return [0, 1, 2].map((rest) => [all.filter((row) => row % 3 !== rest), all.filter((row) => row % 3 === rest)]);
  }
}
const results = await new UniversalCVRunner({ cvSplitter: new EveryThird(), verbose: 0 }).run({ ...job, data: [X, y] });
console.log(results.meanScores.accuracy);
