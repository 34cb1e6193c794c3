import { hasReason } from '../../core/hasReason.js';
import { clippedLogit, logistic } from '../../core/numbers.js';
import type { Label } from '../../data/labels.js';
import { calibrationFit } from '../../metrics/definitions/probability.js';
import { noFit, type Recalibration, type RecalibrationOptions, recalibration, rowsToFit } from './recalibration.js';

type Platt = { readonly method: 'platt'; readonly intercept: number; readonly slope: number };

/**
 * Platt scaling in the form of clinical prediction models, logistic recalibration: outcomes are regressed on the
 * log-odds of the probabilities by maximum likelihood, and new log-odds are intercept + slope x old ones. So
 * probabilities that are calibrated stay as they are. Platt's smoothed targets are left out: they are for scores that
 * are not probabilities. Probabilities are kept within [1e-8, 1 - 1e-8].
 *
 * Source: Cox 1958, Biometrika 45:562; Steyerberg et al. 2004, Statistics in Medicine 23:2567; Platt 1999.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError with one class alone, equal probabilities, and where probabilities separate the classes
 */
export function plattScaling(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: RecalibrationOptions,
): Recalibration<Platt> {
  const fit = calibrationFit(rowsToFit('plattScaling', yTrue, yProba, options).table, 'slope');
  if (hasReason(fit)) throw noFit('plattScaling', fit.reason);
  const [intercept, slope] = fit.coefficients;
  return plattMap({ method: 'platt', intercept, slope });
}

export const plattMap = (fit: Platt): Recalibration<Platt> =>
  recalibration(fit, (p) => logistic(fit.intercept + fit.slope * clippedLogit(p)));
