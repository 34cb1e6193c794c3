import type { Metric } from '../metric.js';
import { ratioOfSums } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';

/** What the metrics of one class have in common: a constant prediction can look good. */
const ONE_CLASS = {
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  noBaseline: true,
} as const;

/**
 * Of the rows that are positive (negative) by one column, the share that are by the other, too; undefined, for the reason
 * `empty`, without such rows.
 */
const shareOf = (among: 'yTrue' | 'yPred', isPositive: boolean, empty: string) => ({
  ...ONE_CLASS,
  proportion: true,
  stratum: (table: ScoreTable, row: number) => ((table[among][row] === table.positive) === isPositive ? 0 : -1),
  ...ratioOfSums((table) => {
    const { yTrue, yPred, positive } = table;
    const column = table[among];
    return {
      part: (row) => ((yTrue[row] === positive) === isPositive && (yPred[row] === positive) === isPositive ? 1 : 0),
      whole: (row) => ((column[row] === positive) === isPositive ? 1 : 0),
    };
  }, empty),
});

export const sensitivity: Metric = {
  ...shareOf('yTrue', true, 'no positive rows'),
  name: 'sensitivity',
  description: 'Share of the positive rows that are found: TP / (TP + FN).',
};

export const recall: Metric = {
  ...sensitivity,
  name: 'recall',
  description: 'Share of the positive rows that are found; the same number as sensitivity.',
};

export const specificity: Metric = {
  ...shareOf('yTrue', false, 'no negative rows'),
  name: 'specificity',
  description: 'Share of the negative rows that are ruled out: TN / (TN + FP).',
};

export const precision: Metric = {
  ...shareOf('yPred', true, 'no row is predicted positive'),
  name: 'precision',
  description: 'Share of the rows predicted positive that are positive: TP / (TP + FP).',
  dependsOnPrevalence: true,
};

export const ppv: Metric = {
  ...precision,
  name: 'ppv',
  description: 'Positive predictive value at the prevalence of these rows; the same number as precision.',
};

export const npv: Metric = {
  ...shareOf('yPred', false, 'no row is predicted negative'),
  name: 'npv',
  description: 'Share of the rows predicted negative that are negative: TN / (TN + FN).',
  dependsOnPrevalence: true,
};

export const f1: Metric = {
  ...ONE_CLASS,
  name: 'f1',
  description: 'Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN) (van Rijsbergen 1979).',
  dependsOnPrevalence: true,
  stratum: ({ yTrue, yPred, positive }, row) => (yTrue[row] === positive || yPred[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 2 : 0),
      whole: (row) => (yTrue[row] === positive ? 1 : 0) + (yPred[row] === positive ? 1 : 0),
    }),
    'no row is positive or predicted positive',
  ),
};

/**
 * A false positive weighs as much as a true one. `netBenefit` and `decisionCurve` take other thresholds.
 * Source: Vickers & Elkin 2006, Medical Decision Making 26:565.
 */
export const netBenefitAtHalf: Metric = {
  name: 'net_benefit',
  description: 'Net benefit at the threshold .5, (TP - FP) / n; at best the prevalence (Vickers & Elkin 2006).',
  direction: 'maximize',
  range: [-1, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ yTrue, yProba, positive }) => ({
    part: (row) => ((yProba as Float64Array)[row] < 0.5 ? 0 : yTrue[row] === positive ? 1 : -1),
  })),
};
