/** Metrics of two classes that read the predicted labels, and the net benefit at the threshold .5. */
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

const SHARE = { ...ONE_CLASS, proportion: true } as const;

/** Share of the positive rows that are predicted positive. Undefined without positive rows. */
export const sensitivity: Metric = {
  ...SHARE,
  name: 'sensitivity',
  description: 'Share of the positive rows that are found: TP / (TP + FN).',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
      whole: (row) => (yTrue[row] === positive ? 1 : 0),
    }),
    'no positive rows',
  ),
};

/** {@link sensitivity} under its name in information retrieval. */
export const recall: Metric = {
  ...sensitivity,
  name: 'recall',
  description: 'Share of the positive rows that are found; the same number as sensitivity.',
};

/** Share of the negative rows that are predicted negative. Undefined without negative rows. */
export const specificity: Metric = {
  ...SHARE,
  name: 'specificity',
  description: 'Share of the negative rows that are ruled out: TN / (TN + FP).',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? -1 : 0),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] !== positive && yPred[row] !== positive ? 1 : 0),
      whole: (row) => (yTrue[row] !== positive ? 1 : 0),
    }),
    'no negative rows',
  ),
};

/** Share of the rows predicted positive that are positive. Undefined when no row is predicted positive. */
export const precision: Metric = {
  ...SHARE,
  name: 'precision',
  description: 'Share of the rows predicted positive that are positive: TP / (TP + FP).',
  dependsOnPrevalence: true,
  stratum: ({ yPred, positive }, row) => (yPred[row] === positive ? 0 : -1),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
      whole: (row) => (yPred[row] === positive ? 1 : 0),
    }),
    'no row is predicted positive',
  ),
};

/** {@link precision} under its name in diagnostics: the positive predictive value at the prevalence of these rows. */
export const ppv: Metric = {
  ...precision,
  name: 'ppv',
  description: 'Positive predictive value at the prevalence of these rows; the same number as precision.',
};

/**
 * Negative predictive value at the prevalence of these rows: share of the rows predicted negative that are negative.
 * Undefined when no row is predicted negative.
 */
export const npv: Metric = {
  ...SHARE,
  name: 'npv',
  description: 'Share of the rows predicted negative that are negative: TN / (TN + FN).',
  dependsOnPrevalence: true,
  stratum: ({ yPred, positive }, row) => (yPred[row] === positive ? -1 : 0),
  ...ratioOfSums(
    ({ yTrue, yPred, positive }) => ({
      part: (row) => (yTrue[row] !== positive && yPred[row] !== positive ? 1 : 0),
      whole: (row) => (yPred[row] !== positive ? 1 : 0),
    }),
    'no row is predicted negative',
  ),
};

/** Harmonic mean of precision and recall (van Rijsbergen 1979). Undefined when no row is positive or predicted so. */
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
 * Net benefit of treating the rows with a probability of at least .5, where a false positive weighs as much as a true
 * one: (TP - FP) / n. At best it is the prevalence. `netBenefit` and `decisionCurve` take other thresholds.
 *
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

/** Sums of weights by truth and prediction: the 2 x 2 table behind sensitivity, precision and the like. */
export interface Confusion {
  readonly truePositive: number;
  readonly falsePositive: number;
  readonly falseNegative: number;
  readonly trueNegative: number;
}

/** The 2 x 2 table of a binary table; its `positive` class is the positive one. */
export function confusion({ yTrue, yPred, weight, length, positive }: ScoreTable): Confusion {
  let truePositive = 0;
  let falsePositive = 0;
  let falseNegative = 0;
  let trueNegative = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    if (yTrue[row] === positive) {
      if (yPred[row] === positive) truePositive += w;
      else falseNegative += w;
    } else if (yPred[row] === positive) falsePositive += w;
    else trueNegative += w;
  }
  return { truePositive, falsePositive, falseNegative, trueNegative };
}
