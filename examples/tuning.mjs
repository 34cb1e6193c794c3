/**
 * Hyper-parameters chosen inside each outer fold: what the search is worth, and how far the best score of a search is from
 * it. Two visits per patient; of ten measurements two tell something about the disease.
 */
import { randomSource, StratifiedGroupKFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { SelectKBest, StandardScaler } from 'cvkit/preprocessing';

const random = randomSource(3);
const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const patients = Array.from({ length: 80 }, (_, patient) => ({ patient, ill: patient % 2, level: normal() }));
const visits = patients.flatMap((each) => [each, each]);
const X = visits.map(({ ill, level }) =>
  Array.from({ length: 10 }, (_, j) => (j < 2 ? 0.7 * ill : 0) + (j % 3 === 0 ? level : 0) + normal()),
);
const y = visits.map(({ ill }) => ill);
const groups = visits.map(({ patient }) => patient);

const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedGroupKFold({ nSplits: 5, randomState: 1 }),
  verbose: 0,
});
const search = {
  modelFn: ({ C }) => new LogisticRegression({ C }),
  preprocessing: [
    ['scale', new StandardScaler()],
    ['select', new SelectKBest({ k: 5 })],
  ],
  paramGrid: { C: { low: 1e-3, high: 100, log: true }, select__k: [1, 2, 5, 10] },
  data: { X, y, groups },
  scoring: 'roc_auc',
  sampler: 'tpe',
  nTrials: 20,
};

// The number to report: the outer test rows have not been seen by any search.
const nested = await runner.runWithHyperparameterTuning(search);
console.log(nested.summary());

// One search alone is quicker. Its best score is too good; BBC-CV takes the optimism off.
const one = await runner.runWithHyperparameterTuning({ ...search, outer: false });
console.log(
  `\nBest of ${one.study.trials.length} trials ${one.bestScore.toFixed(3)}, corrected ${one.correctedBest.estimate.toFixed(3)}`,
);
