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
  ['small', 40, 'linear', 0.8, 'logistic', 0.5, 1, 'random', 'patient', 5, 1, 'case_control'],
  ['small, ten folds', 60, 'linear', 1, 'discriminant', 0.5, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['sizes by label', 72, 'linear', 0.7, 'ridge', 0.4, 6, 'label', 'patient', 5, 1, 'cohort'],
  ['tails', 100, 'tails', 1.1, 'logistic', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['noise', 120, 'linear', 0, 'logistic', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['noise, rather rare', 200, 'linear', 0, 'naiveBayes', 0.25, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['weak', 140, 'linear', 0.35, 'discriminant', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['weak, rather rare', 280, 'linear', 0.4, 'ridge', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, tree', 140, 'xor', 0.9, 'tree', 0.5, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, neighbours', 180, 'xor', 0.8, 'nearest15', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, boosting', 240, 'xor', 0.9, 'boosting', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['many rows, hard ones more', 80, 'linear', 0.9, 'naiveBayes', 0.45, 20, 'hard', 'patient', 5, 1, 'cohort'],
  ['labels per row', 100, 'linear', 0.7, 'lasso', 0.35, 8, 'random', 'row', 5, 1, 'cohort'],
  ['labels per row, sizes by label', 120, 'linear', 1, 'stump', 0.4, 12, 'label', 'row', 5, 1, 'cohort'],
  ['selection', 260, 'linear', 0.9, 'select5of100', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['votes', 180, 'linear', 0.9, 'bagging', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['network', 150, 'linear', 1.2, 'network', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['shared training mean', 240, 'shared', 1.3, 'additive', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['large, rare', 1000, 'linear', 0.9, 'discriminant', 0.1, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['ten folds', 400, 'linear', 0.7, 'lasso', 0.3, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['strong', 220, 'linear', 1.6, 'logistic', 0.35, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['strong, ten folds', 240, 'linear', 1.8, 'ridge', 0.3, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['repeats', 130, 'linear', 0.8, 'discriminant', 0.35, 1, 'random', 'patient', 5, 3, 'cohort'],
  ['repeats, tree', 140, 'linear', 1, 'tree', 0.35, 1, 'random', 'patient', 5, 3, 'cohort'],
  ['ten folds, neighbours', 160, 'linear', 1, 'nearest5', 0.35, 3, 'label', 'patient', 10, 1, 'cohort'],
];
