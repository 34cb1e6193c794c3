/** Someone who comes from the Python interface: its five usage patterns, callbacks, a search, in TypeScript under --strict. */

import * as tf from '@tensorflow/tfjs';
import { LogisticRegression } from 'cvkit/estimators';
import { tabular } from 'cvkit/preprocessing';
import {
  ClinicalMetrics,
  CVKitValidator,
  type CVResults,
  DataLeakageChecker,
  EarlyStopping,
  GroupKFold,
  generate_synthetic_ehr,
  KFold,
  type LeakageReport,
  load_cancer_imaging,
  StratifiedKFold,
  UniversalCVRunner,
} from 'cvkit/snake';

// 1. Construct, validate, summary.
const { X, y } = await load_cancer_imaging();
const model = () => new LogisticRegression({ C: 0.1, maxIter: 500 });
const validator = CVKitValidator({ method: 'stratified_kfold', n_splits: 5, random_state: 1, ci_level: 0.9 });
const result = await validator.validate({ model, X, y, preprocessing: tabular(), verbose: 0 });
console.log(result.summary());

// 2. Grouped by patient, either name.
const ehr = generate_synthetic_ehr({ n_samples: 600, n_patients: 150, missing_rate: 0.05, random_state: 3 });
const grouped = CVKitValidator({ method: 'patient_grouped_kfold', n_splits: 4 });
const study = { model, X: ehr.X, y: ehr.y, preprocessing: tabular(), verbose: 0 as const };
const by_groups = await grouped.validate({ ...study, groups: ehr.groups });
const by_patients = await grouped.validate({ ...study, patient_ids: ehr.groups });
console.log(by_groups.summary());

// 3. Leakage of folds that ignore patients.
const checker = DataLeakageChecker({ verbose: false });
const timestamps = ehr.y.map((_, row) => row);
const report: LeakageReport = await checker.check(ehr.X, ehr.y, { groups: ehr.groups, timestamps });
if (report.has_leakage) console.log(report.severity, report.leakage_types);
let mistaken = '';
try {
  // @ts-expect-error The name of the other spelling.
  console.log(report.hasLeakage);
} catch (error) {
  mistaken = (error as Error).message;
}
const [before, after] = [ehr.groups.slice(0, 400), ehr.groups.slice(400)];
const split = await checker.check_cv_splits(ehr.X.slice(0, 400), ehr.X.slice(400), {
  y_train: ehr.y.slice(0, 400),
  y_test: ehr.y.slice(400),
  patient_ids_train: before,
  patient_ids_test: after,
});
console.log(split.summary());

// 4. Clinical metrics of the predictions, and their report.
const { y_true, y_pred, y_proba } = by_groups.out_of_fold;
const [labels, guesses, risks] = [y_true as number[], y_pred as number[], y_proba as number[]]; // of one label per row
const clinical = ClinicalMetrics({ confidence_level: 0.9 });
const metrics = clinical.calculate_all(labels, guesses, { y_proba: risks, groups: ehr.groups });
const by_place = clinical.calculate_all(labels, guesses, risks);
console.log(clinical.format_report(metrics));

// 5. A factory, data as a pair, training settings; callbacks in snake_case.
const seen: string[] = [];
const runner = UniversalCVRunner({
  cv_splitter: StratifiedKFold({ n_splits: 3, shuffle: true, random_state: 0 }),
  verbose: 0,
});
const results: CVResults = await runner.run({
  model: () => tf.sequential({ layers: [tf.layers.dense({ inputShape: [30], units: 1, activation: 'sigmoid' })] }),
  data: [X, y],
  preprocessing: tabular(),
  epochs: 12,
  optimizer: 'adam',
  loss_fn: 'binaryCrossentropy',
  validation: 0.2,
  callbacks: [
    {
      on_fold_start: (ctx) => void seen.push(`${ctx.fold} of ${ctx.n_splits}`),
      on_epoch_end: (ctx, logs) => (ctx.epoch === 4 && Number(logs.loss) > 0 ? 'stop' : undefined),
      on_fold_end: (ctx, { scores }) => void seen.push(`${ctx.fold} accuracy ${scores.accuracy.value}`),
    },
    EarlyStopping({ patience: 30, restore_best: false }),
  ],
});
console.log(results.summary());

// A search, a design by place, and things of cvkit/snake given back to it.
const groups = GroupKFold(3, true, 1);
const tuned = await UniversalCVRunner({ cv_splitter: groups, verbose: 0 }).run_with_hyperparameter_tuning({
  model_fn: ({ C }) => new LogisticRegression({ C: Number(C) }),
  param_grid: { C: [0.001, 0.1, 10] },
  data: [ehr.X, ehr.y, ehr.groups],
  preprocessing: tabular(),
  scoring: 'roc_auc',
  n_trials: 3,
});
console.log(tuned.summary());
const kfold = KFold(5, true, 42);
const pairs = [...kfold.split(X, y)].map(([train, test]) => [train.length, test.length]);
const again = await UniversalCVRunner({ cv_splitter: kfold, verbose: 0 }).run(model, [X, y], {
  preprocessing: tabular(),
});

/** Share of the rows of one class that were given this class. */
const share = (label: number) => {
  const own = guesses.filter((_, at) => labels[at] === label);
  return own.filter((guess) => guess === label).length / own.length;
};
console.log(
  JSON.stringify({
    level: result.confidence_intervals.roc_auc.level,
    units: [result.confidence_intervals.roc_auc.n_units, by_groups.confidence_intervals.roc_auc.n_units],
    same: JSON.stringify(by_groups.mean_scores) === JSON.stringify(by_patients.mean_scores),
    leakage: { has_leakage: report.has_leakage, leakage_types: report.leakage_types },
    mistaken,
    shared: new Set(before.filter((id) => after.includes(id))).size,
    sharedRows: after.filter((id) => before.includes(id)).length,
    clinical: [metrics.sensitivity.estimate, metrics.specificity.estimate, by_place.sensitivity.estimate],
    counted: [share(1), share(0)],
    clinicalUnits: [metrics.sensitivity.n_units, by_place.sensitivity.n_units],
    seen,
    epochs: results.fold_details.map(({ epochs }) => epochs),
    outer: tuned.per_fold_params.map(({ outer_score }) => outer_score),
    estimate: tuned.outer_estimate?.estimate,
    best: tuned.best_params,
    pairs,
    trained: again.fold_details.map(({ n_train, n_test }) => [n_train, n_test]),
  }),
);
