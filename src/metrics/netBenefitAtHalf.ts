import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/**
 * Net benefit of treating the rows with a probability of at least .5, where a false positive weighs as much as a true one:
 * (TP - FP) / n. At best it is the prevalence. `netBenefit` and `decisionCurve` have the thresholds that a clinician means.
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
