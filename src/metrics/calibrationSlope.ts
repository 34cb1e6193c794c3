import { hasReason } from '../core/hasReason.js';
import { clippedLogit } from './clippedLogit.js';
import { type LogisticFit, logisticFit } from './logisticFit.js';
import { type Metric, type Undefined, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/**
 * Calibration slope: coefficient of the predicted log-odds in a logistic regression of the truth on them, with an
 * intercept. 1 is ideal; below 1 the predictions are too extreme, as of an overfitted model, above 1 too timid.
 * Probabilities are kept within [1e-8, 1 - 1e-8]. Undefined for one class, equal probabilities, and probabilities that
 * separate the classes: the fit then "did not converge".
 *
 * Source: Cox 1958, Biometrika 45:562; Van Calster et al. 2019, BMC Medicine 17:230.
 */
export const calibrationSlope: Metric = {
  name: 'calibration_slope',
  description: 'Slope of the truth on the predicted log-odds; 1 is ideal, less is overfitted (Cox 1958).',
  direction: 'target',
  target: 1,
  range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'pooled',
  weighted: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  compute(table) {
    const fit = calibrationFit(table, 'slope');
    return hasReason(fit) ? fit : fit.coefficients[1];
  },
  influence: (table) => fitInfluence(table, calibrationFit(table, 'slope')),
};

/** The logistic recalibration of a binary table: `slope`, the joint model; `intercept`, with the slope fixed at 1. */
export function calibrationFit(table: ScoreTable, model: 'slope' | 'intercept'): LogisticFit | Undefined {
  const { yTrue, yProba, positive, weight } = table;
  const y = Uint8Array.from(yTrue, (code) => (code === positive ? 1 : 0));
  const logits = (yProba as Float64Array).map(clippedLogit);
  const shared = { y, ...(weight ? { weight } : {}) };
  const ones = new Float64Array(y.length).fill(1);
  if (model === 'intercept') return logisticFit({ ...shared, columns: [ones], offset: logits });
  const counted = logits.filter((_, row) => !weight || weight[row] > 0);
  const fit = logisticFit({ ...shared, columns: [ones, logits] });
  return hasReason(fit) && counted.every((logit) => logit === counted[0])
    ? undefinedBecause('the probabilities are all equal')
    : fit;
}

/** Influence of each row on the last coefficient of a fit: the inverse information times the row's score. */
export function fitInfluence({ length }: ScoreTable, fit: LogisticFit | Undefined): Float64Array {
  if (hasReason(fit)) return new Float64Array(length);
  const last = fit.covariance[fit.covariance.length - 1];
  return Float64Array.from({ length }, (_, row) =>
    last.reduce((sum, value, j) => sum + value * fit.scores[row * last.length + j], 0),
  );
}
