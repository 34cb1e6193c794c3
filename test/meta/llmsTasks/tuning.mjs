// Choose the penalty of a logistic regression inside each outer fold, and say what the choice is worth.
import { loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';

const { X, y } = await loadCancerImaging();
const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ shuffle: true, randomState: 1 }),
  verbose: 0,
});
const tuned = await runner.runWithHyperparameterTuning({
  modelFn: ({ C }) => new LogisticRegression({ C }),
  paramGrid: { C: [0.01, 0.1, 1] },
  data: [X, y],
  preprocessing: new StandardScaler(),
  scoring: 'roc_auc',
  nTrials: 3,
});
console.log(tuned.bestParams, tuned.outerEstimate.estimate);
