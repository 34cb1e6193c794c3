/**
 * The grid that recipes are tried on: other sizes, signals and learners than those of the judging grid, with its
 * columns.
 */
export const TUNING = [
  ['small', 44, 'linear', 1.2, 'ridge', 0.5, 1, 'random', 'patient', 5, 1, 'case_control'],
  ['hard ones have more rows', 60, 'linear', 1, 'logistic', 0.5, 5, 'hard', 'patient', 5, 1, 'cohort'],
  ['noise', 80, 'linear', 0, 'discriminant', 0.45, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['weak', 100, 'linear', 0.35, 'lasso', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['interaction, tree', 110, 'xor', 0.9, 'tree', 0.5, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['tails', 120, 'tails', 1, 'naiveBayes', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['boosting', 150, 'linear', 0.9, 'boosting', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['rather rare', 210, 'linear', 1, 'ridge', 0.2, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['many rows, sizes by label', 110, 'linear', 0.5, 'logistic', 0.4, 14, 'label', 'patient', 5, 1, 'cohort'],
  ['labels per row', 120, 'linear', 0.9, 'discriminant', 0.35, 5, 'random', 'row', 5, 1, 'cohort'],
  ['labels per row, hard ones more', 100, 'linear', 1, 'stump', 0.3, 8, 'hard', 'row', 5, 1, 'cohort'],
  ['selection', 230, 'linear', 0.8, 'select5of100', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['votes', 260, 'xor', 0.9, 'bagging', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['network', 130, 'linear', 0.8, 'network', 0.4, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['shared training mean', 300, 'shared', 1.2, 'additive', 0.5, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['rare, ten folds', 600, 'linear', 1, 'logistic', 0.1, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['strong', 250, 'linear', 1.6, 'lasso', 0.3, 1, 'random', 'patient', 5, 1, 'cohort'],
  ['strong, ten folds', 160, 'linear', 1.8, 'discriminant', 0.4, 1, 'random', 'patient', 10, 1, 'cohort'],
  ['repeats', 110, 'linear', 0.7, 'nearest15', 0.4, 1, 'random', 'patient', 5, 3, 'cohort'],
];
