/**
 * Two grids of the coverage study, of other sizes, signals and learners. Every sample has 20 patients or more in each class
 * and 2 per class and fold. Where that leaves no room for the number of positive patients to vary, the sampling is
 * case-control and said to be so.
 */
const NAMES = ['n', 'rows', 'prevalence', 'signal', 'learner', 'sampling'];

const scenarios = (grid, lines) =>
  lines.map((line) => {
    const facts = Object.fromEntries(line.map((value, at) => [NAMES[at], value]));
    return { sampling: 'cohort', ...facts, grid, features: 5, folds: 5, id: [grid, ...line].join('-') };
  });

export const SCENARIOS = [
  ...scenarios('tuning', [
    [40, 1, 0.5, 1, 'logistic', 'case_control'],
    [60, 5, 0.5, 1, 'logistic'],
    [60, 20, 0.5, 0.5, 'ridge'],
    [100, 1, 0.3, 1, 'logistic'],
    [100, 5, 0.3, 0.5, 'discriminant'],
    [100, 1, 0.3, 1, 'tree'],
    [200, 1, 0.2, 1, 'ridge'],
    [200, 5, 0.2, 1, 'nearest15'],
    [200, 20, 0.3, 0.5, 'logistic'],
    [300, 1, 0.1, 1.5, 'logistic'],
    [300, 5, 0.3, 1, 'tree'],
    [600, 1, 0.05, 1, 'logistic'],
  ]),
  ...scenarios('judging', [
    [50, 1, 0.5, 1.5, 'naiveBayes'],
    [50, 10, 0.5, 0.8, 'lasso'],
    [80, 1, 0.4, 0.5, 'lasso'],
    [80, 3, 0.4, 1.2, 'naiveBayes'],
    [80, 1, 0.4, 1.2, 'nearest5'],
    [120, 1, 0.25, 0.8, 'naiveBayes'],
    [120, 20, 0.25, 1.2, 'lasso'],
    [120, 4, 0.25, 0.8, 'stump'],
    [150, 1, 0.2, 1.2, 'lasso'],
    [250, 1, 0.15, 0.5, 'naiveBayes'],
    [250, 4, 0.15, 1.5, 'nearest5'],
    [250, 10, 0.5, 0.8, 'stump'],
    [400, 1, 0.1, 1.2, 'lasso'],
    [400, 5, 0.1, 0.8, 'naiveBayes'],
    [500, 1, 0.06, 1.5, 'naiveBayes'],
    [500, 1, 0.3, 0.5, 'nearest5'],
  ]),
];

export const METRICS = [
  'roc_auc',
  'accuracy',
  'balanced_accuracy',
  'sensitivity',
  'specificity',
  'precision',
  'npv',
  'f1',
  'mcc',
  'brier',
  'log_loss',
];
