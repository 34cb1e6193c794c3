/** One cross-validation of a sample by the package, as a user runs it. */
import { CVKitValidator, RepeatedGroupKFold, RepeatedKFold } from 'cvkit';
import { trainOn } from './learners/index.mjs';
import { METRICS } from './scenarios.mjs';

/**
 * The result of `validate` with `options` on top of those of the study (`ciMethod: 'analytic'`). `memo`, a Map, keeps
 * models, so that equal training rows are trained once; `trained`, a list, receives the model of each fit in the order
 * of fits.
 */
export function validate(scenario, data, randomState, options, { memo, trained = [] } = {}) {
  const { rows, sampling } = scenario;
  return new CVKitValidator({
    ...folds(scenario, randomState),
    randomState,
    ciMethod: 'analytic',
    checkLeakage: false,
    checkBalance: false,
    metrics: METRICS,
    sampling,
    ...options,
  }).validate({
    model: () => estimator(scenario.learner, data.p, memo, trained),
    X: Array.from({ length: data.n }, (_, row) => Array.from(data.x.subarray(row * data.p, (row + 1) * data.p))),
    y: Array.from(data.y),
    ...(rows === 1 ? {} : { groups: Array.from(data.group) }),
    verbose: 0,
  });
}

/** Stratified folds of whole patients; repeats are not stratified. */
function folds({ rows, folds: nSplits, repeats: nRepeats }, randomState) {
  if (nRepeats > 1) {
    const Splitter = rows === 1 ? RepeatedKFold : RepeatedGroupKFold;
    return { cv: new Splitter({ nSplits, nRepeats, randomState }) };
  }
  return { method: rows === 1 ? 'stratified_kfold' : 'stratified_group_kfold', nSplits };
}

/** The learner as the runner wants it, with labels from probabilities. */
function estimator(name, p, memo, trained) {
  let model;
  let last = {};
  const probabilities = (X) => {
    if (last.X !== X) last = { X, found: model(flat(X, p), X.length) };
    return last.found;
  };
  return {
    fit(X, y) {
      model = trainOn(name, { x: flat(X, p), y: Uint8Array.from(y), n: X.length, p }, memo);
      trained.push(model);
      last = {};
    },
    predictProba: (X) => probabilities(X),
    predict: (X) => Array.from(probabilities(X), (q) => (q > 0.5 ? 1 : 0)),
  };
}

function flat(X, p) {
  const x = new Float64Array(X.length * p);
  for (let row = 0; row < X.length; row++) x.set(X[row], row * p);
  return x;
}
