/**
 * The judging grid of the coverage study, as plain data. It is frozen: `frozen.json` holds the hash of the commit that
 * it was frozen at, from which its seeds derive. What each column means: `sample` in population.mjs; learners:
 * learners/index.mjs.
 */
export const COLUMNS = [
  'name',
  'n',
  'kind',
  'signal',
  'learner',
  'prevalence',
  'rows',
  'sizes',
  'labels',
  'folds',
  'repeats',
  'sampling',
];

export const JUDGING = [
  ['small', 40, 'linear', 1, 'logistic', 0.5, 1, 'random', 'patient', 5, 1, 'case_control'],
  ['sizes by label', 64, 'linear', 0.8, 'discriminant', 0.5, 5, 'label', 'patient', 5, 1, 'cohort'],
  ['tails', 80, 'tails', 1.2, 'discriminant', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['noise', 110, 'linear', 0, 'ridge', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['weak', 130, 'linear', 0.3, 'logistic', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['weak, rather rare', 250, 'linear', 0.5, 'naiveBayes', 0.25, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, tree', 160, 'xor', 0.8, 'tree', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, neighbours', 220, 'xor', 0.9, 'nearest5', 0.5, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, network', 180, 'xor', 0.8, 'network', 0.5, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['many rows, hard ones more', 90, 'linear', 0.8, 'lasso', 0.4, 15, 'hard', 'patient', 5, 1, 'cohort'],
  ['labels per row', 90, 'linear', 0.8, 'logistic', 0.4, 6, 'random', 'row', 5, 1, 'cohort'],
  ['labels per row, sizes by label', 140, 'linear', 1.2, 'tree', 0.3, 10, 'label', 'row', 5, 1, 'cohort'],
  ['selection', 320, 'linear', 0.7, 'select5of100', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['votes', 220, 'linear', 1, 'bagging', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['boosting', 280, 'linear', 0.8, 'boosting', 0.25, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['network', 170, 'linear', 1, 'network', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['shared training mean', 200, 'shared', 1.4, 'additive', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['large, rare', 1000, 'linear', 0.8, 'logistic', 0.1, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['ten folds', 500, 'linear', 0.6, 'discriminant', 0.3, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['rare', 400, 'linear', 1.2, 'lasso', 0.1, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['strong', 300, 'linear', 1.7, 'ridge', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['strong, ten folds', 200, 'linear', 1.9, 'naiveBayes', 0.4, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['repeats', 150, 'linear', 1, 'naiveBayes', 0.3, 1, 'random', 'patient', 5, 3, 'cohort'],
  ['repeats, tree', 120, 'linear', 1.2, 'tree', 0.4, 1, 'random', 'patient', 5, 3, 'cohort'],
  ['ten folds, stump', 240, 'linear', 1, 'stump', 0.3, 3, 'label', 'patient', 10, 1, 'cohort'],
];
