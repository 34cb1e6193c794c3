/**
 * Pairs of procedures. `equal`: no difference in expectation, so that a test that rejects errs. `columns` says which features
 * either side sees; features 0 and 2 have the same signal, the others have none. `fixed`: scores that nobody trains.
 */
const HALVES = { a: [0, 1], b: [2, 3] };
const NOISE = { a: [0, 2, 1, 3, 4, 5, 6, 7], b: [0, 2, 8, 9, 10, 11, 12, 13] };
const ALL = { a: [0, 1, 2, 3, 4], b: [0, 1, 2, 3, 4] };

const NAMES = ['pair', 'n', 'rows', 'prevalence', 'signal', 'learners', 'columns'];

/** `rows`: the most rows of a patient, from 1 on. */
export const SCENARIOS = [
  ['equal', 100, 1, 0.4, 1, ['discriminant', 'discriminant'], HALVES],
  ['equal', 60, 6, 0.4, 1, ['discriminant', 'discriminant'], HALVES],
  ['equal', 200, 1, 0.3, 0.8, ['logistic', 'logistic'], NOISE],
  ['equal', 60, 6, 0.4, 0.8, ['logistic', 'logistic'], NOISE],
  ['equal', 100, 1, 0.4, 1, ['tree', 'tree'], HALVES],
  ['equal', 100, 6, 0.3, 1, ['tree', 'tree'], HALVES],
  ['fixed', 100, 1, 0.4, 1, ['score', 'score'], ALL],
  ['fixed', 60, 6, 0.4, 1, ['score', 'score'], ALL],
  ['different', 200, 1, 0.3, 1, ['discriminant', 'tree'], ALL],
  ['different', 100, 6, 0.4, 1, ['discriminant', 'tree'], ALL],
  ['different', 100, 6, 0.4, 0.8, ['lasso', 'ridge'], ALL],
  ['different', 400, 1, 0.3, 1, ['nearest15', 'logistic'], ALL],
].map((line) => {
  const facts = Object.fromEntries(line.map((value, at) => [NAMES[at], value]));
  const { pair, n, rows, learners, columns } = facts;
  const how = pair === 'equal' ? (columns === HALVES ? ['halves'] : ['noise']) : [];
  return { ...facts, id: [pair, ...how, ...new Set(learners), n, rows].join('-') };
});

export const METRICS = ['roc_auc', 'accuracy', 'brier'];
export const FOLDS = 5;
/** Answers of `compareModels` with limits, in the order of the tables. */
export const ANSWERS = ['correctedT', 'halfContrasts', 'paired'];
/** Halvings of the patients behind `halfContrasts`: the `ciFits` of both results. */
export const HALVINGS = 10;
