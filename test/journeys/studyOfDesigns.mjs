/** A methodologist: what KFold promises and GroupKFold keeps, on generated patients whose true AUC is known. */
import { CVKitValidator, GroupKFold, generateSyntheticEhr, KFold, UniversalCVRunner } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { StandardScaler } from 'cvkit/preprocessing';
import { Neighbours } from '../helpers/neighbours.mjs';

const models = { neighbours: () => new Neighbours(), logistic: () => new LogisticRegression() };
const designs = {
  KFold: (randomState) => new KFold({ shuffle: true, randomState }),
  GroupKFold: (randomState) => new GroupKFold({ randomState }),
};
const seeds = [1, 2, 3, 4];
const study = [];
for (const randomState of seeds) {
  const data = generateSyntheticEhr({ nSamples: 800, nPatients: 160, randomState });
  for (const [model, make] of Object.entries(models)) {
    for (const [design, cv] of Object.entries(designs)) {
      const runner = new UniversalCVRunner({ cvSplitter: cv(randomState), verbose: 0 });
      const job = { model: make, data, preprocessing: new StandardScaler(), metrics: ['roc_auc'] };
      const { estimates, metadata } = await runner.run(job);
      console.log(randomState, model, design, estimates.roc_auc.toFixed(3));
      study.push({ model, design, auc: estimates.roc_auc, recorded: metadata.dataset.trueAuc });
    }
  }
}

// What the validator says of the two designs, for the model that is found out.
const data = generateSyntheticEhr({ nSamples: 800, nPatients: 160, randomState: seeds[0] });
const verdicts = {};
for (const [design, cv] of Object.entries(designs)) {
  const validator = new CVKitValidator({ cv: cv(seeds[0]), metrics: ['roc_auc'] });
  const job = { model: models.neighbours, ...data, preprocessing: new StandardScaler(), verbose: 0 };
  const result = await validator.validate(job);
  console.log(result.summary());
  // Patients and tested rows that a fold shares with its training rows, counted by hand.
  const { row, fold } = result.outOfFold;
  const foldOf = new Map(Array.from(row, (own, at) => [own, fold[at]]));
  const shared = data.groups.map((id, own) =>
    data.groups.some((other, at) => other === id && foldOf.get(at) !== foldOf.get(own)),
  );
  verdicts[design] = {
    status: result.overallStatus,
    text: result.verdict.text,
    types: result.leakageReport.leakageTypes,
    advice: result.manifest.advice,
    sharedRows: shared.filter(Boolean).length,
    sharedPatients: new Set(data.groups.filter((_, own) => shared[own])).size,
    message: result.checks.find(({ code }) => code === 'CVL001').message,
    lower: result.confidenceIntervals.roc_auc.lower,
  };
}

// The true AUC in a large sample of patients with one row each: the share of pairs that the expected risk ranks rightly.
const large = generateSyntheticEhr({ nSamples: 60000, nPatients: 60000, randomState: 9 });
const order = [...large.y.keys()].sort((a, b) => large.truth.expected[a] - large.truth.expected[b]);
let [controls, right] = [0, 0];
for (const at of order) {
  if (large.y[at] === 1) right += controls;
  else controls++;
}
const mean = (model, design) =>
  study
    .filter((own) => own.model === model && own.design === design)
    .reduce((sum, { auc }) => sum + auc / seeds.length, 0);
console.log(
  JSON.stringify({
    trueAuc: data.trueAuc,
    knowing: data.truth.aucKnowingPatients,
    recorded: [...new Set(study.map(({ recorded }) => recorded))],
    sampled: right / (controls * (large.y.length - controls)),
    prevalence: 1 - controls / large.y.length,
    neighbours: { KFold: mean('neighbours', 'KFold'), GroupKFold: mean('neighbours', 'GroupKFold') },
    logistic: { KFold: mean('logistic', 'KFold'), GroupKFold: mean('logistic', 'GroupKFold') },
    gaps: seeds.map((_, at) => study[4 * at].auc - study[4 * at + 1].auc),
    verdicts,
  }),
);
