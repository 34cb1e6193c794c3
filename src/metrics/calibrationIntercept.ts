import { hasReason } from '../core/hasReason.js';
import { calibrationFit, calibrationSlope, fitInfluence } from './calibrationSlope.js';
import type { Metric } from './metric.js';

/**
 * Calibration in the large: intercept of a logistic regression of the truth with the predicted log-odds as offset, so
 * that their slope is 1. 0 is ideal; below 0 the risks are too high on the whole. It is not the intercept of the joint
 * model, which `val.prob` of R's rms prints. Clipping and undefined cases as in {@link calibrationSlope}, but equal
 * probabilities and such that separate the classes do have an intercept.
 *
 * Source: Cox 1958, Biometrika 45:562; Van Calster et al. 2019, BMC Medicine 17:230.
 */
export const calibrationIntercept: Metric = {
  ...calibrationSlope,
  name: 'calibration_intercept',
  description: 'Intercept of the truth with the predicted log-odds as offset; 0 is ideal (Cox 1958).',
  target: 0,
  dependsOnPrevalence: true,
  compute(table) {
    const fit = calibrationFit(table, 'intercept');
    return hasReason(fit) ? fit : fit.coefficients[0];
  },
  influence: (table) => fitInfluence(table, calibrationFit(table, 'intercept')),
};
